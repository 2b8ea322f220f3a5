import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { createFrameReader, INSTANCE_PIPE, writeFrame } from './instance-frames.ts';
import { type WorkerInvocation, WorkerMessage, type WorkerSettings } from './worker-protocol.ts';

/** The process of an instance, and the pipe to it. */
export interface WorkerProcess {
  send(invocation: WorkerInvocation, payload: Buffer): void;
  /** Whether it keeps the stack's process alive. */
  hold(held: boolean): void;
  kill(): void;
  /** Resolves when the process has ended, or could not be started, and all that it said is heard. */
  readonly gone: Promise<ProcessEnd>;
}

/** How a process has ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts the process, which does not keep the stack's own alive. */
export function startWorkerProcess(options: {
  readonly workerFile: string;
  readonly settings: WorkerSettings;
  readonly environment: Readonly<Record<string, string>>;
  /** Called with output of the runtime itself, such as its last words when memory runs out. */
  readonly log: (line: string) => void;
  readonly hear: (message: WorkerMessage, payload: Buffer) => void;
  /** Called where there is no process: it could not be started. */
  readonly failed: (error: Error) => void;
}): WorkerProcess {
  const { settings } = options;
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapLimitMb(settings)}`, options.workerFile, JSON.stringify(settings)],
    { env: { ...options.environment }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const pipe = child.stdio[INSTANCE_PIPE];
  if (!(pipe instanceof Socket)) throw new Error('the pipe to a function is not a socket');
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', options.log);
  }
  const hold = (held: boolean): void => {
    for (const handle of [child, pipe, child.stdout, child.stderr]) {
      if (handle && 'unref' in handle && 'ref' in handle) (held ? handle.ref : handle.unref).call(handle);
    }
  };
  hold(false);
  const read = createFrameReader(({ head, bytes }) => options.hear(WorkerMessage.parse(head), bytes));
  pipe.on('data', read);
  // The pipe breaks when the process exits, which `gone` reports.
  pipe.on('error', () => undefined);
  child.on('error', options.failed);
  const closed = new Promise((resolve) => pipe.once('close', resolve));
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  return {
    send: (invocation, payload) => writeFrame(pipe, invocation, payload),
    hold,
    kill: () => void child.kill('SIGKILL'),
    gone: Promise.all([exited, closed]).then(() => ({
      code: child.exitCode,
      signal: child.signalCode,
    })),
  };
}

/** Lambda's own runtime leaves a tenth of the memory to the young generation and to memory outside the heap. */
function heapLimitMb({ memoryMb }: WorkerSettings): number {
  return memoryMb - Math.floor(memoryMb / 10);
}
