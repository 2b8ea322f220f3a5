import { dirname } from 'node:path';
import { inheritedVariables } from '@inferdrop/model-container/python-library';
import { type PortMap, RENDEZVOUS_PORT } from './cluster-ports.ts';
import { hostNames, toHostPaths } from './host-layout.ts';
import { pythonPath } from './python-path.ts';
import { FRAMEWORK_MODULES } from './sm-environment.ts';
import type { HostFolders, TrainingRequest } from './training-request.ts';

export interface HostVariableOptions {
  readonly request: TrainingRequest;
  readonly folders: HostFolders;
  readonly ports: PortMap;
  /** See `openLifeline`. */
  readonly lifeline: string;
  readonly networkInterface: string;
  /** Cores of this machine. */
  readonly cpus: number;
  readonly sm: Readonly<Record<string, string>>;
}

/**
 * All variables of a host's processes: what the service, AWS's toolkit and the framework's container set, and what makes a host
 * of a process. Of the user's shell they have paths, language and certificates.
 */
export function hostVariables(options: HostVariableOptions): Readonly<Record<string, string>> {
  const { request, folders, ports, lifeline, networkInterface, cpus, sm } = options;
  const { name, arn, region, framework, environment, hyperparameters, gpusPerHost } = request;
  const hosts = hostNames(request.hostCount);
  const given = Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [key, toHostPaths(value, folders.optMl)]),
  );
  return {
    ...inheritedVariables(),
    TRAINING_JOB_NAME: name,
    TRAINING_JOB_ARN: arn,
    AWS_REGION: region,
    SAGEMAKER_REGION: region,
    SAGEMAKER_JOB_NAME: jobNameOf(hyperparameters),
    SAGEMAKER_BASE_DIR: folders.optMl,
    SAGEMAKER_TRAINING_MODULE: FRAMEWORK_MODULES[framework],
    CURRENT_HOST: folders.host,
    ...(request.command === undefined
      ? frameworkVariables(request, networkInterface)
      : { PATH: [dirname(request.python), process.env['PATH']].filter(Boolean).join(':') }),
    ...(hosts.length > 1 && threadsOf(Math.max(1, Math.floor(cpus / hosts.length)))),
    ...(gpusPerHost === 0 && { CUDA_VISIBLE_DEVICES: '-1' }),
    GLOO_SOCKET_IFNAME: networkInterface,
    ...given,
    ...sm,
    PYTHONPATH: [...pythonPath(), folders.code, given['PYTHONPATH']].filter(Boolean).join(':'),
    PYTHONUNBUFFERED: '1',
    INFERDROP_TRAINING: JSON.stringify({
      hosts,
      ports,
      optMl: folders.optMl,
      lifeline,
      isolated: request.networkIsolation,
      closedPorts: endpointPorts(environment),
    }),
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

function frameworkVariables(
  { framework, environment }: TrainingRequest,
  networkInterface: string,
): Readonly<Record<string, string>> {
  if (framework === 'pytorch')
    return {
      MASTER_ADDR: 'algo-1',
      MASTER_PORT: String(RENDEZVOUS_PORT),
      NCCL_SOCKET_IFNAME: networkInterface,
      NCCL_IB_DISABLE: '1',
      NCCL_DEBUG: 'WARN',
    };
  const endpoint = environment['AWS_ENDPOINT_URL'];
  if (endpoint === undefined) return { TF_CPP_MIN_LOG_LEVEL: '1' };
  // TensorFlow 1 and tensorflow-io read s3:// by themselves; they know no AWS_ENDPOINT_URL.
  const { host, protocol } = new URL(endpoint);
  const https = protocol === 'https:' ? '1' : '0';
  return { TF_CPP_MIN_LOG_LEVEL: '1', S3_ENDPOINT: host, S3_USE_HTTPS: https, S3_VERIFY_SSL: https };
}

/** With network isolation a job reaches no service; this stack's would be on the loopback, where its own hosts are. */
function endpointPorts({ AWS_ENDPOINT_URL: endpoint }: Readonly<Record<string, string>>): readonly number[] {
  const port = endpoint === undefined ? '' : new URL(endpoint).port;
  return port === '' ? [] : [Number(port)];
}
