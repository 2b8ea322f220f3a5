import { inheritedVariables } from '@inferdrop/model-container/internal/python-library';
import { FRAMEWORKS } from './frameworks.ts';
import { type InsideView, toHostPaths } from './host-layout.ts';
import type { JobHosts } from './hosts/job-hosts.ts';
import type { HostFolders, TrainingRequest } from './training-request.ts';

interface HostVariableOptions {
  readonly request: TrainingRequest;
  readonly folders: HostFolders;
  readonly inside: InsideView;
  readonly hosts: JobHosts;
  /** Cores of this machine. */
  readonly cpus: number;
  readonly sm: Readonly<Record<string, string>>;
  /** Folders of the commands of the job's Python. */
  readonly path: string;
}

/**
 * All variables of a host's processes: what the service, AWS's toolkit and the framework's container set, and what makes a host
 * of a process. Of the user's shell they have paths, language and certificates.
 */
export function hostVariables(options: HostVariableOptions): Readonly<Record<string, string>> {
  const { request, folders, inside, hosts, cpus, sm, path } = options;
  const { networkInterface } = inside;
  const { name, arn, region, framework, environment, hyperparameters, hostCount, gpusPerHost } = request;
  const container = FRAMEWORKS[framework];
  const given = Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [key, toHostPaths(value, inside.optMl)]),
  );
  return {
    ...inheritedVariables(),
    TRAINING_JOB_NAME: name,
    TRAINING_JOB_ARN: arn,
    AWS_REGION: region,
    SAGEMAKER_REGION: region,
    SAGEMAKER_JOB_NAME: jobNameOf(hyperparameters),
    SAGEMAKER_BASE_DIR: inside.optMl,
    SAGEMAKER_TRAINING_MODULE: container.module,
    CURRENT_HOST: folders.host,
    ...(request.command === undefined && container.variables({ environment, networkInterface })),
    PATH: [path, process.env['PATH']].filter(Boolean).join(':'),
    ...(hostCount > 1 && threadsOf(Math.max(1, Math.floor(cpus / hostCount)))),
    ...(gpusPerHost === 0 && { CUDA_VISIBLE_DEVICES: '-1' }),
    GLOO_SOCKET_IFNAME: networkInterface,
    ...given,
    ...sm,
    PYTHONPATH: [...hosts.pythonPath, inside.code, given['PYTHONPATH']].filter(Boolean).join(':'),
    PYTHONUNBUFFERED: '1',
    ...hosts.variables(folders),
  };
}

/** Hosts share the cores of this machine: threads beyond them would hold up every step in which the hosts wait for each other. */
function threadsOf(threads: number): Readonly<Record<string, string>> {
  return { OMP_NUM_THREADS: String(threads), TF_NUM_INTRAOP_THREADS: String(threads) };
}

/** The SDK sends the job's name as JSON; the toolkit gives it on as it reads it. */
function jobNameOf({ sagemaker_job_name: text = '""' }: Readonly<Record<string, string>>): string {
  return text.replace(/^"(.*)"$/s, '$1');
}
