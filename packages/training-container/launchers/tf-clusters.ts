import type { HostPlan } from '../job-plan.ts';
import { pythonFile } from '../python-path.ts';
import type { HostRun, ScriptEnd, Stage } from '../stage.ts';
import { type AddressOf, mirroredConfig, parameterServerConfig } from '../tf-config.ts';

/** Every host is a worker of `MultiWorkerMirroredStrategy`. */
export function launchMirrored(stage: Stage): readonly HostRun[] {
  const hosts = stage.plans.map((plan) => plan.host);
  return stage.plans.map((plan) => {
    const variables = { TF_CONFIG: mirroredConfig(hosts, plan.host, addressIn(stage)) };
    return { host: plan.host, ended: stage.start(plan, { command: plan.command, variables }).ended };
  });
}

/**
 * A parameter server next to the script of each host. When a host's script is done, the host stays for the others, which still use
 * its server; all servers are killed after the last script. A server that exits before its script fails the host.
 */
export function launchParameterServers(stage: Stage): readonly HostRun[] {
  const hosts = stage.plans.map((plan) => plan.host);
  const config = (plan: HostPlan, task: 'script' | 'server'): Readonly<Record<string, string>> => ({
    TF_CONFIG: parameterServerConfig(hosts, plan.host, task, addressIn(stage)),
  });
  const members = stage.plans.map((plan) => ({
    host: plan.host,
    server: stage.start(plan, {
      command: [stage.python, pythonFile('inferdrop_parameter_server.py')],
      variables: config(plan, 'server'),
      isServer: true,
    }),
    script: stage.start(plan, { command: plan.command, variables: config(plan, 'script') }),
  }));
  const scripts = Promise.all(members.map(({ script }) => script.ended));
  void scripts.then(() => members.forEach(({ server }) => server.kill()));
  return members.map(({ host, script, server }) => ({
    host,
    ended: hostEnd(script.ended, server.ended, scripts),
  }));
}

async function hostEnd(
  script: Promise<ScriptEnd>,
  server: Promise<ScriptEnd>,
  scripts: Promise<unknown>,
): Promise<ScriptEnd> {
  const serverEnd = server.then((end): ScriptEnd => (end.exitCode === 0 ? { ...end, exitCode: 1 } : end));
  const first = await Promise.race([script, serverEnd]);
  if (first.exitCode !== 0) return first;
  return Promise.race([scripts.then(() => first), serverEnd]);
}

function addressIn({ hosts }: Stage): AddressOf {
  return (host, port) => `${hosts.nameOf(host)}:${hosts.portOf(host, port)}`;
}
