import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeWorkerFile } from '#worker-file';
import type { Credentials } from '../kernel/permission.ts';
import type { LogWriter } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import type { FunctionConfig } from './function-config.ts';
import { toEnvironment } from './function-environment.ts';
import { FunctionPool, type PoolOptions } from './function-pool.ts';
import { functionArn } from './function-reference.ts';

/** Dependencies of the pools. */
export interface PoolsOptions extends ServiceBase, Pick<PoolOptions, 'maxInstances' | 'idleMs'> {
  readonly logsOf: (roleArn: string, functionName: string) => LogWriter;
  readonly credentialsOf: (roleArn: string, functionName: string) => Credentials;
}

/** The pools of all functions. */
export interface FunctionPools {
  /** The pool of a function, made at the first call. */
  of(name: string, config: FunctionConfig): FunctionPool;
  /** Retires a function's pool: it takes no new invocations, and still answers what it had begun. */
  retire(name: string): void;
  close(): Promise<void>;
}

/** Memory in MB at which Lambda gives a function one whole processor. */
const PROCESSOR_MB = 1_769;

/** Instances of a function that keep all processors busy while one of them waits; more would only take memory. */
function usefulInstances({ memoryMb }: FunctionConfig): number {
  return Math.max(2, Math.ceil(((availableParallelism() + 1) * PROCESSOR_MB) / memoryMb));
}

/** Makes no pool yet. */
export function createPools(options: PoolsOptions): FunctionPools {
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
    of: (name, config) => {
      const pool = pools.get(name) ?? make(name, config);
      pools.set(name, pool);
      return pool;
    },
    retire: (name) => {
      const pool = pools.get(name);
      if (pool === undefined) return;
      pool.retire();
      pools.delete(name);
      retired.add(pool);
    },
    close: async () => {
      await Promise.all([...pools.values(), ...retired].map((pool) => pool.close()));
      pools.clear();
    },
  };
}
