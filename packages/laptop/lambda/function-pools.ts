import { availableParallelism, devNull } from 'node:os';
import { join } from 'node:path';
import { writeWorkerFile } from '#worker-file';
import type { Credentials } from '../kernel/permission.ts';
import type { LogWriter } from '../kernel/ports.ts';
import type { ServiceBase, Site } from '../kernel/service.ts';
import type { FunctionConfig } from './function-config.ts';
import { FunctionPool, type PoolOptions } from './function-pool.ts';
import { functionArn, LATEST } from './function-reference.ts';

/** Dependencies of the pools. */
export interface PoolsOptions extends ServiceBase, Pick<PoolOptions, 'maxInstances' | 'idleMs'> {
  readonly logsOf: (roleArn: string, functionName: string) => LogWriter;
  readonly credentialsOf: (roleArn: string, functionName: string) => Credentials;
}

/** Memory in MB at which Lambda gives a function one whole processor. */
const PROCESSOR_MB = 1_769;

/** Instances of a function that keep all processors busy while one of them waits; more would only take memory. */
function usefulInstances({ memoryMb }: FunctionConfig): number {
  return Math.max(2, Math.ceil(((availableParallelism() + 1) * PROCESSOR_MB) / memoryMb));
}

/** The pools of all functions; each is made at its first call. */
export function createPools(options: PoolsOptions) {
  const { dir, site, clock, maxInstances, idleMs } = options;
  const pools = new Map<string, FunctionPool>();
  /** Pools of replaced code. */
  const retired = new Set<FunctionPool>();
  let workerFile: string | undefined;

  const make = (name: string, config: FunctionConfig): FunctionPool => {
    const shared = { name, config, codeFolder: join(dir, config.codeFolder) };
    workerFile ??= writeWorkerFile(dir);
    return new FunctionPool({
      ...shared,
      workerFile,
      arn: functionArn(site, name),
      environment: (logStream) =>
        toEnvironment({ ...shared, logStream, site, credentials: options.credentialsOf(config.role, name) }),
      maxInstances: Math.min(maxInstances, usefulInstances(config)),
      idleMs,
      clock,
      logs: options.logsOf(config.role, name),
    });
  };
  return {
    of: (name: string, config: FunctionConfig): FunctionPool => {
      const pool = pools.get(name) ?? make(name, config);
      pools.set(name, pool);
      return pool;
    },
    /** Retires a function's pool: it takes no new invocations, and still answers what it had begun. */
    retire: (name: string): void => {
      const pool = pools.get(name);
      if (pool === undefined) return;
      pool.retire();
      pools.delete(name);
      retired.add(pool);
    },
    close: async (): Promise<void> => {
      await Promise.all([...pools.values(), ...retired].map((pool) => pool.close()));
      pools.clear();
    },
  };
}

/**
 * The whole environment of an instance: nothing of the host's leaks in, every SDK client finds the stack's endpoint, and none
 * looks for credentials in instance metadata or the user's own files.
 */
function toEnvironment(options: {
  readonly name: string;
  readonly config: FunctionConfig;
  readonly codeFolder: string;
  readonly logStream: string;
  readonly site: Site;
  readonly credentials: Credentials;
}): Readonly<Record<string, string>> {
  const { config, site, credentials } = options;
  return {
    ...config.environment,
    AWS_REGION: site.region,
    AWS_DEFAULT_REGION: site.region,
    AWS_ENDPOINT_URL: site.endpoint(),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EXECUTION_ENV: `AWS_Lambda_${config.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: options.name,
    AWS_LAMBDA_FUNCTION_VERSION: LATEST,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(config.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: config.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: options.logStream,
    AWS_LAMBDA_LOG_FORMAT: config.logFormat,
    ...(config.applicationLogLevel === undefined ? {} : { AWS_LAMBDA_LOG_LEVEL: config.applicationLogLevel }),
    LAMBDA_TASK_ROOT: options.codeFolder,
    _HANDLER: config.handler,
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
  };
}
