import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { encodeFrame, type Frame, FrameReader } from './python-frames.ts';

/** A longer line comes in pieces of this length: one without an end would be held until memory runs out. */
const MAX_LINE_LENGTH = 65_536;

/** Hands over the lines of a program's output; the last one when the stream closes. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let held = '';
  const take = (text: string): void => {
    // A carriage return at the end may be half of a line break.
    const lines = (held + text).split(/\r\n|\n|\r(?!$)/);
    held = lines.pop() ?? '';
    lines.forEach(cut);
    while (held.length > MAX_LINE_LENGTH) {
      onLine(held.slice(0, MAX_LINE_LENGTH));
      held = held.slice(MAX_LINE_LENGTH);
    }
  };
  const cut = (line: string): void => {
    for (let at = 0; at === 0 || at < line.length; at += MAX_LINE_LENGTH)
      onLine(line.slice(at, at + MAX_LINE_LENGTH));
  };
  stream.on('data', (piece: Buffer) => take(decoder.write(piece)));
  stream.on('end', () => {
    take(decoder.end());
    if (held !== '') onLine(held.replace(/\r$/, ''));
  });
}

/** A program that speaks in frames, and what hears its frames and lines. */
export interface FrameProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Name of the process in the line that says how it ended: `the Python process`. */
  readonly name: string;
  /** A frame of the process; it is ended where this throws. */
  readonly onFrame: (frame: Frame) => void;
  /** A line of its stdout or stderr. */
  readonly log: (line: string) => void;
}

/** A process that speaks in frames: it reads them from its stdin and writes them to its descriptor 3. */
export interface FrameProcess {
  send(header: unknown, body?: readonly Uint8Array[]): void;
  /** Resolves when the process has ended, with how it did. */
  readonly gone: Promise<string>;
  kill(): Promise<void>;
}

/** Processes of this program that are to end with it, also those that wait for nothing. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a process and leaves its stdout and stderr free for the user's code. */
export function startFrameProcess(options: FrameProcessOptions): FrameProcess {
  const { command, args, env, name, onFrame, log } = options;
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  running.add(child);
  const gone = Promise.withResolvers<string>();
  let lastWords = '';
  const hear = (line: string): void => {
    if (line.trim() !== '') lastWords = line.trim();
    log(line);
  };
  const [requests, stdout, stderr, answers] = child.stdio;
  if (!(requests instanceof Writable && answers instanceof Readable))
    throw new TypeError('the process has no channel for its frames');
  for (const stream of [stdout, stderr]) {
    if (stream) readLines(stream, hear);
  }
  const reader = new FrameReader();
  answers.on('data', (piece: Buffer) => {
    try {
      for (const frame of reader.push(piece)) onFrame(frame);
    } catch (error) {
      // Code in the process wrote into the channel: later messages cannot be trusted.
      hear(`${name} broke its channel: ${error instanceof Error ? error.message : String(error)}`);
      answers.destroy();
      child.kill('SIGKILL');
    }
  });
  // A process that exits breaks its pipes; `gone` reports how it exited.
  requests.on('error', () => undefined);
  answers.on('error', () => undefined);
  child.on('error', (error) => gone.resolve(`${command} does not start: ${error.message}`));
  child.on('close', (code, signal) => {
    running.delete(child);
    gone.resolve(`${name} ended with ${signal ?? `code ${code}`}${lastWords && `: ${lastWords}`}`);
  });
  return {
    send(header, body) {
      // What is sent in one turn of the event loop is one write: to wake the process costs more than most frames.
      if (requests.writableCorked === 0) {
        requests.cork();
        setImmediate(() => requests.uncork());
      }
      requests.write(encodeFrame(header, body));
    },
    gone: gone.promise,
    async kill() {
      child.kill('SIGKILL');
      await gone.promise;
    },
  };
}
