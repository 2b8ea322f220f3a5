import type { Clock } from '../kernel/clock.ts';
import { exited, MAX_RESPONSE_BYTES, responseTooLarge, timedOut } from './function-failures.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';
import type { FunctionFailure, WorkerMessage, WorkerSettings } from './worker-protocol.ts';

/** How one invocation ended. */
export interface Outcome {
  readonly payload: Buffer;
  readonly failed: boolean;
  readonly durationMs: number;
  readonly heapMb: number;
  /** Init time of the first invocation of an instance. */
  readonly initMs: number | undefined;
  readonly status: 'success' | 'error' | 'timeout' | 'failure';
}

/** Lambda stops an initialization after this time and tries again within the function's own timeout. */
const INIT_LIMIT_MS = 10_000;

interface Current {
  readonly requestId: string;
  readonly settle: (outcome: Omit<Outcome, 'durationMs' | 'initMs'>) => void;
}

/** Settings with which an instance is started. */
interface InstanceOptions {
  readonly workerFile: string;
  readonly settings: WorkerSettings;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Exit of an instance that the stack stopped. */
const CUT_OFF = { code: 1, signal: null };

/**
 * One warm copy of a function: a process with its own environment and memory limit, which loads its code at once. A thread would
 * start sooner, but V8 kills the whole process when a thread outgrows its heap in one step.
 */
export class FunctionInstance {
  readonly #options: InstanceOptions;
  readonly #worker: WorkerProcess;
  readonly #gone: Promise<void>;
  readonly #bornMs: number;
  readonly #init = Promise.withResolvers<void>();
  readonly #cancelInitLimit: () => void;
  #initMs: number | undefined;
  #initFailure: FunctionFailure | undefined;
  #current: Current | undefined;
  #ended = false;

  constructor(options: InstanceOptions) {
    const { clock, timeoutMs } = options;
    this.#options = options;
    this.#bornMs = clock.now();
    this.#worker = startWorkerProcess({
      ...options,
      hear: (message, payload) => this.#hear(message, payload),
      failed: (error) => {
        this.#cancelInitLimit();
        this.#die(() => ({ errorType: error.name, errorMessage: error.message }), 'failure');
      },
    });
    const initLimitMs = Math.max(INIT_LIMIT_MS, timeoutMs);
    this.#cancelInitLimit = clock.after(initLimitMs, () => {
      this.#worker.kill();
      this.#initFailure = timedOut('initialization', initLimitMs);
      this.#die(() => timedOut('initialization', initLimitMs), 'timeout');
    });
    this.#gone = this.#worker.gone.then((end) => {
      this.#cancelInitLimit();
      if (!this.#ended) this.#die((requestId) => exited(requestId, end), 'failure');
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Answers always; after a timeout or a crash the instance is `ended`. One at a time. */
  async invoke(requestId: string, payload: Buffer): Promise<Outcome> {
    const { clock, timeoutMs } = this.#options;
    this.#worker.hold(true);
    await this.#init.promise;
    const initMs = this.#initMs;
    this.#initMs = undefined;
    const startMs = clock.now();
    return new Promise((resolve) => {
      const settle: Current['settle'] = (outcome) => {
        cancelTimeout();
        this.#current = undefined;
        this.#worker.hold(false);
        resolve({ ...outcome, durationMs: clock.now() - startMs, initMs });
      };
      this.#current = { requestId, settle };
      const cancelTimeout = clock.after(timeoutMs, () => {
        this.#worker.kill();
        this.#die((id) => timedOut(id, timeoutMs), 'timeout');
      });
      if (this.#initFailure) return this.#fail(this.#initFailure, 'error', 0);
      if (this.#ended) return this.#fail(exited(requestId, CUT_OFF), 'failure');
      this.#worker.send({ requestId, timeoutMs }, payload);
    });
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#cancelInitLimit();
    this.#worker.kill();
    await this.#gone;
    this.#die((requestId) => exited(requestId, CUT_OFF), 'failure');
  }

  #hear(message: WorkerMessage, payload: Buffer): void {
    switch (message.kind) {
      case 'log':
        return this.#options.log(message.line);
      case 'ready':
        return this.#initialized();
      case 'init-failure':
        this.#initFailure = message.failure;
        this.#ended = true;
        this.#worker.kill();
        return this.#initialized();
      case 'crash':
        return this.#die(() => message.failure, 'failure');
      case 'failure':
        return this.#fail(message.failure, 'error', message.heapMb);
      case 'result':
        if (payload.length > MAX_RESPONSE_BYTES)
          return this.#fail(responseTooLarge(payload.length), 'error', message.heapMb);
        this.#current?.settle({ payload, failed: false, heapMb: message.heapMb, status: 'success' });
    }
  }

  #initialized(): void {
    this.#cancelInitLimit();
    this.#initMs = this.#options.clock.now() - this.#bornMs;
    this.#init.resolve();
  }

  #fail(failure: FunctionFailure, status: Outcome['status'], heapMb = this.#options.settings.memoryMb): void {
    const payload = Buffer.from(JSON.stringify(failure));
    this.#current?.settle({ payload, failed: true, heapMb, status });
  }

  #die(failure: (requestId: string) => FunctionFailure, status: Outcome['status']): void {
    this.#ended = true;
    if (this.#current) this.#fail(failure(this.#current.requestId), status);
    this.#init.resolve();
  }
}
