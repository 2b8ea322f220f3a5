import { describeEngine, type EngineName } from '@inferdrop/model-container/internal/engine-environment';
import { type FrameworkName, FRAMEWORKS } from '@inferdrop/training-container/internal/frameworks';
import { prepareHosts } from '@inferdrop/training-container/prepare-hosts';
import { runHosts } from '@inferdrop/training-container/run-hosts';
import {
  type HostFolders,
  type TrainingEnd,
  TrainingRefused,
  type TrainingRequest,
} from '@inferdrop/training-container/training-request';
import { legacyVariables, probeRuntime, type TrainingRuntime } from './training-runtime.ts';

/** One job, as its hosts need it; how they are made and which Python runs them, they know themselves. */
export type HostsRequest = Omit<TrainingRequest, 'mode' | 'python' | 'environmentsDir'> & {
  /** Version of the framework, by the image's name. */
  readonly imageVersion?: string;
};

/** Runs the hosts of training jobs. */
export interface TrainingHosts {
  readonly mode: TrainingMode;
  /**
   * Finds the runtime of a job's script.
   *
   * @throws {TrainingRefused} where jobs of the framework cannot run here, with the remedy
   */
  runtimeOf(job: Pick<HostsRequest, 'framework' | 'hyperparameters'>): Promise<TrainingRuntime>;
  /**
   * Makes `/opt/ml` of every host.
   *
   * @throws {TrainingRefused} if the request itself shows a mistake
   */
  prepare(request: HostsRequest): Promise<readonly HostFolders[]>;
  /**
   * Runs the script on all hosts; resolves when all have exited. `stop` sends SIGTERM, and SIGKILL after the grace.
   *
   * @throws {TrainingRefused} before anything starts, if the source shows a mistake
   */
  run(
    request: HostsRequest,
    folders: readonly HostFolders[],
    on: { readonly line: (host: string, text: string) => void },
    stop: AbortSignal,
  ): Promise<TrainingEnd>;
}

/** How hosts are made. */
export type TrainingMode = TrainingRequest['mode'];

interface ProcessHostsOptions {
  readonly mode: TrainingMode;
  /** Folder of the environments that `requirements.txt` asks for. */
  readonly environmentsDir: string;
  /** Interpreters that the user named instead of the installed ones. */
  readonly pythons?: TrainingPythons;
}

/** Absolute path of an interpreter by framework. */
export type TrainingPythons = Readonly<Partial<Record<FrameworkName, string>>>;

/** Hosts as processes of this machine, in the Python that `inferdrop containers install` made for the framework, or that the user named. */
export function processHosts({ mode, environmentsDir, pythons = {} }: ProcessHostsOptions): TrainingHosts {
  const probed = new Map<string, TrainingRuntime>();
  const runtimeOf: TrainingHosts['runtimeOf'] = async ({ framework, hyperparameters }) => {
    const python = pythons[framework] ?? installedPython(engineOf(framework, hyperparameters));
    const runtime = probed.get(python) ?? (await probeRuntime(framework, python));
    probed.set(python, runtime);
    return runtime;
  };
  const complete = async ({ imageVersion, ...request }: HostsRequest): Promise<TrainingRequest> => {
    const runtime = await runtimeOf(request);
    const environment = { ...legacyVariables(imageVersion, runtime), ...request.environment };
    return { ...request, mode, environmentsDir, environment, python: runtime.python };
  };
  return {
    mode,
    runtimeOf,
    prepare: async (request) => prepareHosts(await complete(request)),
    run: async (request, folders, on, stop) => runHosts(await complete(request), folders, on, stop),
  };
}

/** Jobs with MPI run in the framework's environment for MPI, if it's installed. */
function engineOf(
  framework: FrameworkName,
  { sagemaker_mpi_enabled: mpi }: HostsRequest['hyperparameters'],
): EngineName {
  const { mpiEngine } = FRAMEWORKS[framework];
  return mpi === 'true' && mpiEngine !== undefined && describeEngine(mpiEngine).installed
    ? mpiEngine
    : framework;
}

function installedPython(engine: EngineName): string {
  const { installed, dir, python } = describeEngine(engine);
  if (installed) return python;
  throw new TrainingRefused([
    `${engine} is not installed (${dir} is not there): run "inferdrop containers install ${engine}"`,
  ]);
}
