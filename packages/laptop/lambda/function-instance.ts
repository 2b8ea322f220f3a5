import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Clock } from '../kernel/clock.ts';
import { createFrameReader, INSTANCE_PIPE, writeFrame } from './instance-frames.ts';
import {
  type FunctionFailure,
  type WorkerInvocation,
  WorkerMessage,
  type WorkerSettings,
} from './worker-protocol.ts';

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
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapLimitMb(settings)}`, options.workerFile, JSON.stringify(settings)],
    { env: { ...options.environment }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const pipe = child.stdio[INSTANCE_PIPE];
  if (!(pipe instanceof Socket)) throw new Error('the pipe to a function is not a socket');
  // What the runtime itself prints, such as its last words when memory runs out.
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', options.log);
  }
  const hold = holder(child, pipe);
  // An instance that waits for its next invocation must not keep the stack's process alive.
  hold(false);
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
    child.kill('SIGKILL');
    initFailure = timedOut('initialization', initLimitMs);
    die(() => timedOut('initialization', initLimitMs), 'timeout');
  });
  const begun = (): void => {
    initLimit();
    initMs = clock.now() - bornMs;
    waitingForInit?.();
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
        child.kill('SIGKILL');
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
  pipe.on(
    'data',
    createFrameReader(({ head, bytes }) => hear(WorkerMessage.parse(head), bytes)),
  );
  // It breaks when the process ends, which is reported below.
  pipe.on('error', () => undefined);
  child.on('error', (error) => {
    initLimit();
    die(() => ({ errorType: error.name, errorMessage: error.message }), 'failure');
  });
  const gone = Promise.all([once(child, 'exit'), new Promise((resolve) => pipe.once('close', resolve))]).then(
    () => {
      initLimit();
      if (!ended) die((requestId) => exited(requestId, child.exitCode, child.signalCode), 'failure');
    },
  );

  return {
    get ended() {
      return ended;
    },
    end: async () => {
      ended = true;
      initLimit();
      child.kill('SIGKILL');
      await gone;
      if (current) fail(exited(current.requestId, 1, null), 'failure');
      waitingForInit?.();
    },
    invoke: async (requestId, payload) => {
      hold(true);
      await initDone;
      const firstInitMs = initMs;
      initMs = undefined;
      const startMs = clock.now();
      return new Promise((resolve) => {
        const settle: Current['settle'] = (outcome) => {
          cancelTimeout();
          current = undefined;
          hold(false);
          resolve({ ...outcome, durationMs: clock.now() - startMs, initMs: firstInitMs });
        };
        current = { requestId, startMs, settle };
        const cancelTimeout = clock.after(timeoutMs, () => {
          child.kill('SIGKILL');
          die((id) => timedOut(id, timeoutMs), 'timeout');
        });
        if (initFailure) return fail(initFailure, 'error', 0);
        if (ended) return fail(exited(requestId, 1, null), 'failure');
        writeFrame(pipe, { requestId, timeoutMs } satisfies WorkerInvocation, payload);
      });
    },
  };
}

/** Lambda's own runtime leaves a tenth of the memory to the young generation and to what lies outside of the heap. */
function heapLimitMb({ memoryMb }: WorkerSettings): number {
  return memoryMb - Math.floor(memoryMb / 10);
}

function responseTooLarge(sizeBytes: number): FunctionFailure {
  return {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size (${sizeBytes} bytes) exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`,
  };
}

function timedOut(requestId: string, timeoutMs: number): FunctionFailure {
  const seconds = (timeoutMs / 1000).toFixed(2);
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`,
  };
}

function exited(requestId: string, code: number | null, signal: NodeJS.Signals | null): FunctionFailure {
  // V8 aborts when the heap has reached its limit.
  if (signal === 'SIGABRT') {
    return {
      errorType: 'Runtime.OutOfMemory',
      errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`,
    };
  }
  const how =
    code === 0
      ? 'Runtime exited without providing a reason'
      : `Runtime exited with error: ${signal === null ? `exit status ${code}` : `signal: ${signal === 'SIGKILL' ? 'killed' : signal}`}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `RequestId: ${requestId} Error: ${how}` };
}

/** Gives a switch that says whether the process keeps its parent alive. */
function holder(child: ChildProcess, pipe: Socket): (held: boolean) => void {
  const handles = [child, pipe, child.stdout, child.stderr];
  return (held) => {
    for (const handle of handles) {
      if (handle && 'unref' in handle && 'ref' in handle) (held ? handle.ref : handle.unref).call(handle);
    }
  };
}
