import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkDrivers, installedPackages } from './check-drivers.ts';
import { type CheckedSource, checkSource } from './check-source.ts';
import { dataFailureReason, failureReason, failureText } from './failure-reason.ts';
import { findMpi } from './find-mpi.ts';
import { hostNames } from './host-layout.ts';
import { openExactHosts } from './hosts/exact-hosts.ts';
import { openPortableHosts } from './hosts/portable-hosts.ts';
import { splitHyperparameters } from './hyperparameters.ts';
import { planHost } from './job-plan.ts';
import { makeJobPython } from './job-python.ts';
import { chooseLauncher, type Launcher } from './launcher.ts';
import { launchHorovod } from './launchers/horovod.ts';
import { launchMpirun } from './launchers/mpirun.ts';
import { launchSingle } from './launchers/single-process.ts';
import { launchMirrored, launchParameterServers } from './launchers/tf-clusters.ts';
import { launchTorchrun } from './launchers/torchrun.ts';
import { mapScripts } from './map-scripts.ts';
import { openPipes, type Pipes } from './pipes.ts';
import { installRequirements } from './requirements.ts';
import { type HostRun, type ScriptEnd, Stage } from './stage.ts';
import {
  type HostFolders,
  type TrainingEnd,
  type TrainingFailure,
  TrainingRefused,
  type TrainingRequest,
} from './training-request.ts';

/** Hears each line that a host prints. */
export interface HostLog {
  readonly line: (host: string, text: string) => void;
}

/** When one host has failed, the others have this long to stop; SageMaker's own limit isn't documented. */
const FELLOW_GRACE_MS = 5_000;

/** Exit code of the container when pip failed. */
const FAILED = 1;

/**
 * Runs the script on all hosts, after its requirements are installed; resolves when every process of the job has exited. The host
 * that failed first names the reason, and the others are stopped. `stop` sends SIGTERM to the scripts, SIGKILL after the grace.
 * AWS's containers do not hand SIGTERM on to the script; this one does.
 *
 * @throws {TrainingRefused} before anything starts, with the source's mistakes
 */
export async function runHosts(
  request: TrainingRequest,
  all: readonly HostFolders[],
  log: HostLog,
  stop: AbortSignal,
): Promise<TrainingEnd> {
  const [first] = all;
  if (first === undefined) throw new RangeError('InstanceCount must be 1 or more, is 0');
  const { framework, user } = splitHyperparameters(request.hyperparameters);
  const { command } = request;
  const launcher: Launcher =
    command === undefined ? chooseLauncher(framework, user, request).launcher : { kind: 'process' };
  const source =
    command === undefined
      ? await checkSource(request, first, launcher)
      : await ownCommand(request, all, command, log);
  const installed =
    command === undefined
      ? await installRequirements({
          ...request,
          kind: source.kind,
          code: first.code,
          onLine: (line) => log.line(first.host, line),
        })
      : { python: request.python };
  if ('failure' in installed) return failedInstall(request, failureText(installed.failure));
  const { python, path } = await makeJobPython(installed.python, request.root);
  const packages = await installedPackages(installed.python);
  if (packages !== '') log.line(first.host, `training packages: ${packages}`);
  const launch = await launcherOf(launcher, python, { code: first.code, program: source.program }, request);
  if (stop.aborted) return { exitCodes: {} };
  if (command === undefined && source.kind === 'command')
    for (const { code } of all) await chmod(join(code, source.program), 0o755);
  const hosts =
    request.mode === 'exact'
      ? await openExactHosts(request, all, [request.python, installed.python])
      : await openPortableHosts(request);
  try {
    const stage = new Stage({
      plans: inOrderOfHosts(all).map((folders) =>
        planHost(request, folders, { ...source, python, path }, hosts),
      ),
      hosts,
      python,
      log: log.line,
      framework: request.framework,
    });
    const pipes = await openPipes(request, all);
    try {
      return await conduct(stage, launch, pipes, request, stop);
    } finally {
      pipes.close();
    }
  } finally {
    await hosts.end();
  }
}

/** The job's own command. Its scripts find `/opt/ml` where the hosts have it. */
async function ownCommand(
  { mode }: TrainingRequest,
  all: readonly HostFolders[],
  command: readonly string[],
  log: HostLog,
): Promise<CheckedSource> {
  for (const folders of all) {
    await checkDrivers(folders);
    if (mode === 'exact') continue;
    const changed = await mapScripts(folders, command);
    if (changed.length > 0)
      log.line(folders.host, `/opt/ml is ${folders.optMl} here, also in ${changed.join(', ')}`);
  }
  return { program: command[0] ?? '', kind: 'command' };
}

type Launch = (stage: Stage) => readonly HostRun[];

async function launcherOf(
  launcher: Launcher,
  python: string,
  { code, program }: { readonly code: string; readonly program: string },
  { mode, hostCount, root }: TrainingRequest,
): Promise<Launch> {
  switch (launcher.kind) {
    case 'process':
      return launchSingle;
    case 'parameter-server':
      return launchParameterServers;
    case 'multi-worker-mirrored':
      return launchMirrored;
    case 'torchrun':
      return (stage) => launchTorchrun(stage, launcher.processesPerHost);
    case 'mpi': {
      const engine = await findMpi(python, code, program);
      if (engine.kind === 'horovod') return (stage) => launchHorovod(stage, launcher);
      if (mode === 'exact' && hostCount > 1)
        throw new TrainingRefused([
          'HyperParameters.sagemaker_mpi_enabled: mpirun starts all ranks on one host, and cannot go from one exact ' +
            'host to another: train on one host, or start the stack without --training-hosts exact',
        ]);
      return (stage) => launchMpirun(stage, launcher, engine.mpirun, root);
    }
  }
}

async function conduct(
  stage: Stage,
  launch: Launch,
  pipes: Pipes,
  { graceMs, command }: TrainingRequest,
  stop: AbortSignal,
): Promise<TrainingEnd> {
  let failure: Promise<TrainingFailure> | undefined;
  let dataFailure: string | undefined;
  const onStop = (): void => stage.stop(graceMs);
  const endFellows = (): void => stage.stop(Math.min(graceMs, FELLOW_GRACE_MS));
  stop.addEventListener('abort', onStop);
  if (command === undefined)
    for (const plan of stage.plans)
      stage.log(plan.host, `Invoking script with the following command: ${plan.command.join(' ')}`);
  const runs = launch(stage);
  if (stop.aborted) onStop();
  void pipes.failed.then((message) => {
    if (failure !== undefined || stop.aborted) return;
    dataFailure = message;
    endFellows();
  });
  const codes = await Promise.all(
    runs.map(async ({ host, ended }) => {
      const end = await ended;
      if (end.exitCode !== 0 && failure === undefined && !stop.aborted) {
        failure = failureOf(stage, end, dataFailure, command !== undefined);
        endFellows();
      }
      return [host, end.exitCode] as const;
    }),
  );
  // In the order of the hosts, whichever was the first to exit.
  const exitCodes = Object.fromEntries(codes);
  await stage.empty();
  stop.removeEventListener('abort', onStop);
  // Scripts may end with 0 when they are stopped.
  if (dataFailure !== undefined && failure === undefined)
    return {
      exitCodes,
      failure: { host: 'algo-1', exitCode: FAILED, reason: dataFailureReason(dataFailure) },
    };
  return { exitCodes, ...(failure !== undefined && { failure: await failure }) };
}

/** Reason of a failure: the script's words in `output/failure` come before those that it printed. */
async function failureOf(
  { plans }: Stage,
  { host, exitCode, failure }: ScriptEnd,
  dataFailure: string | undefined,
  isOwnCommand: boolean,
): Promise<TrainingFailure> {
  if (dataFailure !== undefined) return { host, exitCode, reason: dataFailureReason(dataFailure) };
  const optMl = plans.find((plan) => plan.host === host)?.folders.optMl ?? '';
  const written = await readFile(join(optMl, 'output', 'failure'), 'utf8').catch(() => '');
  if (written === '' && isOwnCommand)
    return { host, exitCode, reason: `AlgorithmError: Exit Code: ${exitCode}` };
  return { host, exitCode, reason: failureReason(written === '' ? failureText(failure) : written) };
}

function failedInstall({ hostCount }: TrainingRequest, text: string): TrainingEnd {
  const hosts = hostNames(hostCount);
  return {
    exitCodes: Object.fromEntries(hosts.map((host) => [host, FAILED])),
    failure: { host: 'algo-1', exitCode: FAILED, reason: failureReason(text) },
  };
}

/** Hosts in the order of `hosts` in resourceconfig.json: sorted as texts. */
function inOrderOfHosts(all: readonly HostFolders[]): readonly HostFolders[] {
  return all.toSorted((a, b) => (a.host < b.host ? -1 : 1));
}
