import { availableParallelism } from 'node:os';
import type { HostPlan } from '../job-plan.ts';
import type { MpiLauncher } from '../launcher.ts';
import { pythonFile } from '../python-path.ts';
import type { HostRun, ScriptEnd, Stage, StartedProcess } from '../stage.ts';
import { parseMpiOptions } from './mpi-options.ts';
import { type HorovodRank, horovodRanks, taggedLine } from './ranks.ts';

/** Horovod's ranks over Gloo, without MPI and SSH: this program starts each one, Horovod's own rendezvous brings them together. */
export function launchHorovod(stage: Stage, { processesPerHost, options }: MpiLauncher): readonly HostRun[] {
  const { plans, python, hosts: jobHosts } = stage;
  const [first] = plans;
  if (first === undefined) return [];
  const hosts = plans.map((plan) => plan.host);
  const more = variablesOfRanks(stage, hosts.length * processesPerHost, options);
  const found = Promise.withResolvers<number>();
  const server = stage.start(first, {
    command: [python, pythonFile('inferdrop_horovod_rendezvous.py'), String(processesPerHost), ...hosts],
    isServer: true,
    onLine(line) {
      const port = /^rendezvous (\d+)$/.exec(line)?.[1];
      if (port === undefined) return { text: line };
      found.resolve(Number(port));
      return undefined;
    },
  });
  const port = Promise.race([found.promise, server.ended]);
  const runs = plans.map((plan) => ({
    host: plan.host,
    ended: port.then((known) => {
      if (stage.stopping) server.kill();
      if (typeof known !== 'number' || stage.stopping) return server.ended;
      const ranks = horovodRanks(hosts, processesPerHost, {
        address: jobHosts.nameOf(first.host),
        port: known,
        networkInterface: plan.inside.networkInterface,
      });
      const own = ranks.filter((rank) => rank.host === plan.host);
      return firstFailureOrLast(own.map((rank) => startRank(stage, plan, rank, more)));
    }),
  }));
  void Promise.all(runs.map((run) => run.ended)).then(() => server.kill());
  return runs;
}

function variablesOfRanks(stage: Stage, ranks: number, options: string): Readonly<Record<string, string>> {
  const { variables, others } = parseMpiOptions(options);
  const cores = availableParallelism();
  if (others.length > 0)
    stage.log('algo-1', `Options for mpirun mean nothing over Gloo and are left out: ${others.join(' ')}`);
  if (ranks <= cores) return variables;
  stage.log('algo-1', `${ranks} ranks share ${cores} cores: each computes on one thread`);
  return { OMP_NUM_THREADS: '1', TF_NUM_INTRAOP_THREADS: '1', TF_NUM_INTEROP_THREADS: '1', ...variables };
}

function startRank(
  stage: Stage,
  plan: HostPlan,
  { rank, host, variables }: HorovodRank,
  more: Readonly<Record<string, string>>,
): StartedProcess {
  return stage.start(plan, {
    command: plan.command,
    variables: { ...more, ...variables },
    onLine: (line, from) => ({ host: 'algo-1', text: taggedLine(rank, host, from, line) }),
  });
}

/** The first rank that fails stops its host, as it stops mpirun. */
function firstFailureOrLast(ranks: readonly StartedProcess[]): Promise<ScriptEnd> {
  return new Promise((resolve) => {
    let left = ranks.length;
    for (const { ended } of ranks)
      void ended.then((end) => {
        left--;
        if (left === 0 || end.exitCode !== 0) resolve(end);
      });
  });
}
