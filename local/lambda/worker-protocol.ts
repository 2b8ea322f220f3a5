import * as z from 'zod';

/** What a worker is told when it starts. */
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

/** One invocation, to the worker. */
export interface WorkerInvocation {
  readonly requestId: string;
  readonly payload: Uint8Array;
  readonly timeoutMs: number;
}

/** What Lambda answers in place of a result. */
export const FunctionFailure = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  trace: z.array(z.string()).optional(),
});

/** What Lambda answers in place of a result. */
export type FunctionFailure = z.infer<typeof FunctionFailure>;

/** Everything a worker says. */
export const WorkerMessage = z.union([
  z.object({ log: z.string() }),
  z.object({ result: z.instanceof(Uint8Array), heapMb: z.number() }),
  z.object({ failure: FunctionFailure, heapMb: z.number() }),
  z.object({ ready: z.literal(true) }),
  z.object({ initFailure: FunctionFailure }),
  z.object({ crash: FunctionFailure }),
]);

/** Everything a worker says. */
export type WorkerMessage = z.infer<typeof WorkerMessage>;
