import { FRAMEWORKS } from './frameworks.ts';
import type { Hyperparameters } from './hyperparameters.ts';
import { isTruthy, type PythonValue } from './python-value.ts';
import type { TrainingRequest } from './training-request.ts';

/** Way to start the processes of the hosts. */
export type Launcher =
  | { readonly kind: 'process' }
  | { readonly kind: 'parameter-server' }
  | { readonly kind: 'multi-worker-mirrored' }
  | { readonly kind: 'torchrun'; readonly processesPerHost: number }
  | MpiLauncher;

/** `mpi` of the SDK: mpirun, or Horovod over Gloo. */
export interface MpiLauncher {
  readonly kind: 'mpi';
  readonly processesPerHost: number;
  /** On all hosts together. */
  readonly processes: number;
  /** Options in the user's own words for mpirun. */
  readonly options: string;
}

interface ChosenLauncher {
  readonly launcher: Launcher;
  readonly problems: readonly string[];
}

/** Distributions of the SDK that need libraries which AWS gives out in its images only, or hardware that is not here. */
const REFUSED: Readonly<Record<string, string>> = {
  sagemaker_distributed_dataparallel_enabled: "SageMaker's data parallel library (smdistributed)",
  sagemaker_distributed_dataparallel_custom_mpi_options: "SageMaker's data parallel library (smdistributed)",
  sagemaker_pytorch_ddp_enabled: "SageMaker's launcher for PyTorch DDP (smddprun)",
  sagemaker_pytorch_xla_multi_worker_enabled: 'PyTorch/XLA',
  sagemaker_distribution_instance_groups: 'a cluster of several instance groups',
};

/** With MPI, the SDK's model parallelism is a hyperparameter without the prefix. */
const MODEL_PARALLEL = 'mp_parameters';

/** Which launcher the hyperparameters ask for, in the order that AWS's containers look at them, and what is not run here. */
export function chooseLauncher(
  framework: Hyperparameters,
  user: Hyperparameters,
  {
    framework: name,
    hostCount,
    gpusPerHost,
  }: Pick<TrainingRequest, 'framework' | 'hostCount' | 'gpusPerHost'>,
): ChosenLauncher {
  const { missing, instead } = FRAMEWORKS[name];
  const problems = Object.entries(REFUSED)
    .filter(([parameter]) => isTruthy(framework.get(parameter)))
    .map(
      ([parameter, what]) => `HyperParameters.${parameter}: ${what} cannot run on this machine: ${instead}`,
    );
  if (isTruthy(user.get(MODEL_PARALLEL)))
    problems.push(
      `HyperParameters.${MODEL_PARALLEL}: SageMaker's model parallel library (smdistributed) cannot run on this machine: ${instead}`,
    );
  const perHost = count(
    framework,
    'sagemaker_mpi_num_of_processes_per_host',
    Math.max(1, gpusPerHost),
    problems,
  );
  const total = count(framework, 'sagemaker_mpi_num_processes', perHost * hostCount, problems);
  const asks = (parameter: string): boolean => isTruthy(framework.get(parameter));
  for (const [parameter, reason] of Object.entries(missing))
    if (asks(parameter)) problems.push(`HyperParameters.${parameter}: ${reason}: ${instead}`);
  if (total !== perHost * hostCount && asks('sagemaker_mpi_enabled'))
    problems.push(
      `HyperParameters.sagemaker_mpi_num_processes must be processes per host × hosts, ${perHost} × ${hostCount}, is ` +
        `${total}: leave it out`,
    );
  return { launcher: launcherOf(framework, hostCount, perHost, total), problems };
}

function launcherOf(framework: Hyperparameters, hostCount: number, perHost: number, total: number): Launcher {
  const asks = (parameter: string): boolean => isTruthy(framework.get(parameter));
  // With one host the container starts no servers, and the script sees no TF_CONFIG.
  if (asks('sagemaker_parameter_server_enabled') && hostCount > 1) return { kind: 'parameter-server' };
  if (asks('sagemaker_mpi_enabled'))
    return { kind: 'mpi', processesPerHost: perHost, processes: total, options: textOf(framework) };
  if (asks('sagemaker_multi_worker_mirrored_strategy_enabled')) return { kind: 'multi-worker-mirrored' };
  if (asks('sagemaker_torch_distributed_enabled')) return { kind: 'torchrun', processesPerHost: perHost };
  return { kind: 'process' };
}

function textOf(framework: Hyperparameters): string {
  const options = framework.get('sagemaker_mpi_custom_mpi_options');
  return typeof options === 'string' ? options : '';
}

/** A count of processes; the SDK sends whole numbers, boto3's users may send anything. */
function count(framework: Hyperparameters, name: string, otherwise: number, problems: string[]): number {
  const value: PythonValue | undefined = framework.get(name);
  if (value === undefined) return otherwise;
  if (typeof value === 'bigint' && value >= 1n && value <= 1024n) return Number(value);
  problems.push(`HyperParameters.${name} must be a whole number from 1 to 1024, is ${String(value)}`);
  return otherwise;
}
