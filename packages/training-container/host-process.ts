import { fork } from 'node:child_process';
import { constants } from 'node:os';
import { finished } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import type { KeeperOrder, KeeperReport, ProcessOrder } from './keeper-messages.ts';

/** CloudWatch Logs takes events of at most 256 KiB. */
const MAX_LINE_CHARACTERS = 256 * 1024;

/** Cuts what a process prints into lines. A carriage return stays inside its line, as in CloudWatch Logs: progress bars are one line. */
export class LineCutter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#give(line.endsWith('\r') ? line.slice(0, -1) : line);
    while (this.#rest.length > MAX_LINE_CHARACTERS) {
      this.#onLine(this.#rest.slice(0, MAX_LINE_CHARACTERS));
      this.#rest = this.#rest.slice(MAX_LINE_CHARACTERS);
    }
  }

  /** A last line may have no end. */
  end(): void {
    const last = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (last !== '') this.#give(last);
  }

  #give(line: string): void {
    if (line.length <= MAX_LINE_CHARACTERS) return this.#onLine(line);
    for (let at = 0; at < line.length; at += MAX_LINE_CHARACTERS)
      this.#onLine(line.slice(at, at + MAX_LINE_CHARACTERS));
  }
}

interface HostProcessOptions extends ProcessOrder {
  /** See `JobHosts`. */
  readonly behind: readonly string[];
  readonly onLine: (line: string, from: 'stdout' | 'stderr') => void;
}

/** A process of a host, and whatever it starts. */
export interface HostProcess {
  readonly ended: Promise<ProcessEnd>;
  /** To the whole group; none if it has ended. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

interface ProcessEnd {
  /** 128 + n where signal n ended it. */
  readonly exitCode: number;
  /** Return code in the form of Python's subprocess: -n where signal n ended it. */
  readonly returnCode: number;
}

const KEEPER = fileURLToPath(import.meta.resolve('#training-container/keeper-process.ts'));

/** Time within which the last output arrives, unless a process that left its group holds the pipes open. */
const LAST_WORDS_MS = 2_000;

/** Exit code of a shell for a program that does not exist. */
const NOT_FOUND = 127;

/** Starts a process in a group of its own. */
export function startHostProcess({ onLine, behind, ...order }: HostProcessOptions): HostProcess {
  const [execPath, ...execArgv] = [...behind, process.execPath];
  const keeper = fork(KEEPER, {
    ...(execPath !== undefined && { execPath }),
    execArgv,
    // The keeper itself needs nothing of the user's shell.
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const read = (['stdout', 'stderr'] as const).map(async (from) => {
    const stream = keeper[from];
    if (stream === null) return;
    const cutter = new LineCutter((line) => onLine(line, from));
    stream.on('data', (bytes: Buffer) => cutter.push(bytes));
    await finished(stream).catch(() => undefined);
    cutter.end();
  });
  const gone = Promise.withResolvers<ProcessEnd>();
  let end: ProcessEnd | undefined;
  keeper.on('message', (message: KeeperReport) => {
    if (message.kind === 'not-started') onLine(message.message, 'stderr');
    end ??=
      message.kind === 'ended'
        ? toProcessEnd(message.code, message.signal)
        : { exitCode: NOT_FOUND, returnCode: NOT_FOUND };
  });
  keeper.on('error', (error) => onLine(error.message, 'stderr'));
  keeper.on('exit', (code, signal) => gone.resolve(toProcessEnd(code, signal)));
  const tell = (message: KeeperOrder): void => void keeper.send(message, () => undefined);
  tell({ kind: 'start', ...order });
  return {
    ended: gone.promise.then(async (keeperEnd) => {
      const late = setTimeout(
        () => [keeper.stdout, keeper.stderr].forEach((stream) => stream?.destroy()),
        LAST_WORDS_MS,
      );
      await Promise.all(read);
      clearTimeout(late);
      return end ?? keeperEnd;
    }),
    signal(name) {
      if (keeper.pid === undefined || keeper.exitCode !== null || keeper.signalCode !== null) return;
      if (behind.length > 0) {
        // In a namespace its group has another number; and nsenter, which is the process here, halts where a script has halted the keeper.
        tell({ kind: 'signal', name });
        keeper.kill(name === 'SIGKILL' ? name : 'SIGCONT');
        return;
      }
      try {
        process.kill(-keeper.pid, name);
      } catch {
        // Nothing of it is left.
      }
    },
  };
}

function toProcessEnd(code: number | null, signal: NodeJS.Signals | null): ProcessEnd {
  if (signal === null) return { exitCode: code ?? 1, returnCode: code ?? 1 };
  const number = constants.signals[signal];
  return { exitCode: 128 + number, returnCode: -number };
}
