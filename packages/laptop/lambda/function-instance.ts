import type { Clock } from '../kernel/clock.ts';
import { exited, MAX_RESPONSE_BYTES, responseTooLarge, timedOut } from './function-failures.ts';
import { startWorkerProcess } from './worker-process.ts';
import type { FunctionFailure, WorkerMessage, WorkerSettings } from './worker-protocol.ts';

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

/**
 * One warm copy of a function: a process with its own environment and memory limit. A thread would start sooner, but V8
 * ends the whole process when a thread outgrows its heap in one step.
 */
export interface FunctionInstance {
  /** Answers always; after a timeout or a crash the instance is `ended`. One at a time. */
  invoke(requestId: string, payload: Buffer): Promise<Outcome>;
  readonly ended: boolean;
  end(): Promise<void>;
}

/** Lambda ends an initialization after this time and tries again within the function's own. */
const INIT_LIMIT_MS = 10_000;

interface Current {
  readonly requestId: string;
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
  const bornMs = clock.now();
  let initMs: number | undefined;
  let initFailure: FunctionFailure | undefined;
  let current: Current | undefined;
  let ended = false;
  const init = Promise.withResolvers<void>();

  const fail = (failure: FunctionFailure, status: Outcome['status'], heapMb = settings.memoryMb): void => {
    current?.settle({ payload: Buffer.from(JSON.stringify(failure)), failed: true, heapMb, status });
  };
  const die = (failure: (requestId: string) => FunctionFailure, status: Outcome['status']): void => {
    ended = true;
    if (current) fail(failure(current.requestId), status);
    init.resolve();
  };
  const begun = (): void => {
    initLimit();
    initMs = clock.now() - bornMs;
    init.resolve();
  };
  const hear = (message: WorkerMessage, payload: Buffer): void => {
    switch (message.kind) {
      case 'log':
        return options.log(message.line);
      case 'ready':
        return begun();
      case 'init-failure':
        initFailure = message.failure;
        ended = true;
        worker.kill();
        return begun();
      case 'crash':
        return die(() => message.failure, 'failure');
      case 'failure':
        return fail(message.failure, 'error', message.heapMb);
      case 'result':
        if (payload.length > MAX_RESPONSE_BYTES)
          return fail(responseTooLarge(payload.length), 'error', message.heapMb);
        current?.settle({ payload, failed: false, heapMb: message.heapMb, status: 'success' });
    }
  };
  const worker = startWorkerProcess({
    ...options,
    hear,
    failed: (error) => {
      initLimit();
      die(() => ({ errorType: error.name, errorMessage: error.message }), 'failure');
    },
  });
  const initLimitMs = Math.max(INIT_LIMIT_MS, timeoutMs);
  const initLimit = clock.after(initLimitMs, () => {
    worker.kill();
    initFailure = timedOut('initialization', initLimitMs);
    die(() => timedOut('initialization', initLimitMs), 'timeout');
  });
  const gone = worker.gone.then((end) => {
    initLimit();
    if (!ended) die((requestId) => exited(requestId, end), 'failure');
  });

  return {
    get ended() {
      return ended;
    },
    end: async () => {
      ended = true;
      initLimit();
      worker.kill();
      await gone;
      die((requestId) => exited(requestId, CUT_OFF), 'failure');
    },
    invoke: async (requestId, payload) => {
      worker.hold(true);
      await init.promise;
      const firstInitMs = initMs;
      initMs = undefined;
      const startMs = clock.now();
      return new Promise((resolve) => {
        const settle: Current['settle'] = (outcome) => {
          cancelTimeout();
          current = undefined;
          worker.hold(false);
          resolve({ ...outcome, durationMs: clock.now() - startMs, initMs: firstInitMs });
        };
        current = { requestId, settle };
        const cancelTimeout = clock.after(timeoutMs, () => {
          worker.kill();
          die((id) => timedOut(id, timeoutMs), 'timeout');
        });
        if (initFailure) return fail(initFailure, 'error', 0);
        if (ended) return fail(exited(requestId, CUT_OFF), 'failure');
        worker.send({ requestId, timeoutMs }, payload);
      });
    },
  };
}

/** How an instance ends that the stack ends. */
const CUT_OFF = { code: 1, signal: null };
