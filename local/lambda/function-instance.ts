import { Worker } from 'node:worker_threads';
import type { Clock } from '../gateway/clock.ts';
import { isRecord } from '../pattern/value-matcher.ts';
import type { FunctionFailure, WorkerInvocation, WorkerSettings } from './worker-protocol.ts';
import { WorkerMessage } from './worker-protocol.ts';

/** How one invocation ended. */
export interface Outcome {
  readonly payload: Buffer;
  readonly failed: boolean;
  readonly durationMs: number;
  readonly heapMb: number;
  /** Of the first invocation of an instance. */
  readonly initMs: number | undefined;
  readonly status: 'success' | 'error' | 'timeout' | 'failure';
}

/** One warm copy of a function: a worker thread with its own environment and memory limit. */
export interface FunctionInstance {
  /** Answers always; after a timeout or a crash the instance is `ended`. One at a time. */
  invoke(requestId: string, payload: Buffer): Promise<Outcome>;
  readonly ended: boolean;
  end(): Promise<void>;
}

/** Lambda ends an initialization after this time and tries again within the function's own. */
const INIT_LIMIT_MS = 10_000;
const MAX_RESPONSE_BYTES = 6_291_556;

interface Current {
  readonly requestId: string;
  readonly startMs: number;
  readonly settle: (outcome: Omit<Outcome, 'durationMs' | 'initMs'>) => void;
}

/** Starts an instance; its code is loaded in the meantime. */
export function startInstance(options: {
  readonly workerFile: string;
  readonly settings: WorkerSettings;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}): FunctionInstance {
  const { settings, clock, timeoutMs } = options;
  const worker = new Worker(options.workerFile, {
    workerData: settings,
    env: options.environment,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: settings.memoryMb },
    name: settings.functionName,
  });
  // A worker that waits for its next invocation must not keep the stack's process alive.
  worker.unref();
  const bornMs = clock.now();
  let initMs: number | undefined;
  let initFailure: FunctionFailure | undefined;
  let current: Current | undefined;
  let ended = false;
  let waitingForInit: (() => void) | undefined;
  const initDone = new Promise<void>((resolve) => (waitingForInit = resolve));

  const fail = (failure: FunctionFailure, status: Outcome['status'], heapMb = settings.memoryMb): void => {
    current?.settle({ payload: Buffer.from(JSON.stringify(failure)), failed: true, heapMb, status });
  };
  const die = (failure: (requestId: string) => FunctionFailure, status: Outcome['status']): void => {
    ended = true;
    if (current) fail(failure(current.requestId), status);
    waitingForInit?.();
  };
  const initLimitMs = Math.max(INIT_LIMIT_MS, timeoutMs);
  const initLimit = clock.after(initLimitMs, () => {
    void worker.terminate();
    initFailure = timedOut('initialization', initLimitMs);
    die(() => timedOut('initialization', initLimitMs), 'timeout');
  });
  worker.on('message', (raw: unknown) => {
    const message = WorkerMessage.parse(raw);
    if ('log' in message) return options.log(message.log);
    if ('ready' in message || 'initFailure' in message) {
      initLimit();
      initMs = clock.now() - bornMs;
      if ('initFailure' in message) {
        initFailure = message.initFailure;
        ended = true;
        void worker.terminate();
      }
      return waitingForInit?.();
    }
    if ('failure' in message) return fail(message.failure, 'error', message.heapMb);
    const payload = Buffer.from(message.result);
    if (payload.length > MAX_RESPONSE_BYTES) {
      const errorMessage = `Response payload size (${payload.length} bytes) exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`;
      return fail({ errorType: 'Function.ResponseSizeTooLarge', errorMessage }, 'error', message.heapMb);
    }
    current?.settle({ payload, failed: false, heapMb: message.heapMb, status: 'success' });
  });
  worker.on('error', (error: unknown) => {
    initLimit();
    die((requestId) => crashed(requestId, error), 'failure');
  });
  worker.on('exit', (code) => {
    initLimit();
    if (!ended) die((requestId) => exited(requestId, code), 'failure');
  });

  return {
    get ended() {
      return ended;
    },
    end: async () => {
      ended = true;
      initLimit();
      await worker.terminate();
      if (current) fail(exited(current.requestId, 1), 'failure');
      waitingForInit?.();
    },
    invoke: async (requestId, payload) => {
      worker.ref();
      await initDone;
      const firstInitMs = initMs;
      initMs = undefined;
      const startMs = clock.now();
      return new Promise((resolve) => {
        const settle: Current['settle'] = (outcome) => {
          cancelTimeout();
          current = undefined;
          worker.unref();
          resolve({ ...outcome, durationMs: clock.now() - startMs, initMs: firstInitMs });
        };
        current = { requestId, startMs, settle };
        const cancelTimeout = clock.after(timeoutMs, () => {
          void worker.terminate();
          die((id) => timedOut(id, timeoutMs), 'timeout');
        });
        if (initFailure) return fail(initFailure, 'error', 0);
        if (ended) return fail(exited(requestId, 1), 'failure');
        const invocation: WorkerInvocation = { requestId, payload, timeoutMs };
        worker.postMessage(invocation);
      });
    },
  };
}

function timedOut(requestId: string, timeoutMs: number): FunctionFailure {
  const seconds = (timeoutMs / 1000).toFixed(2);
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`,
  };
}

function exited(requestId: string, code: number): FunctionFailure {
  const how =
    code === 0
      ? 'Runtime exited without providing a reason'
      : `Runtime exited with error: exit status ${code}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `RequestId: ${requestId} Error: ${how}` };
}

function crashed(requestId: string, error: unknown): FunctionFailure {
  if (isRecord(error) && error['code'] === 'ERR_WORKER_OUT_OF_MEMORY') {
    return {
      errorType: 'Runtime.OutOfMemory',
      errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`,
    };
  }
  if (!(error instanceof Error)) {
    return {
      errorType: 'Runtime.UnhandledError',
      errorMessage: `RequestId: ${requestId} Error: ${String(error)}`,
    };
  }
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}
