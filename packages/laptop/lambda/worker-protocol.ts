import * as z from 'zod';

/** Settings that a worker receives when it starts. */
export interface WorkerSettings {
  /** Absolute path of the module, without extension. */
  readonly modulePath: string;
  readonly exportName: string;
  /** Where compiled code is kept, for instances that start later. */
  readonly cacheFolder: string;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly memoryMb: number;
  readonly logGroup: string;
  readonly logStream: string;
  readonly logFormat: 'JSON' | 'Text';
  /** Lines of a lower level are dropped; JSON format only. */
  readonly logLevel: string | undefined;
}

/** One invocation, to the worker; its payload goes with it. */
export interface WorkerInvocation {
  readonly requestId: string;
  readonly timeoutMs: number;
}

/** Lambda's answer instead of a result. */
export const FunctionFailure = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  trace: z.array(z.string()).optional(),
});
export type FunctionFailure = z.infer<typeof FunctionFailure>;

/** Everything a worker says. The bytes of a result go with it. */
export const WorkerMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('log'), line: z.string() }),
  z.object({ kind: z.literal('result'), heapMb: z.number() }),
  z.object({ kind: z.literal('failure'), failure: FunctionFailure, heapMb: z.number() }),
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('init-failure'), failure: FunctionFailure }),
  z.object({ kind: z.literal('crash'), failure: FunctionFailure }),
]);

/** Everything a worker says. */
export type WorkerMessage = z.infer<typeof WorkerMessage>;
