import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Frame } from './frames.ts';
import { encodeFrame, FrameReader } from './frames.ts';

export interface PythonProcessOptions {
  /** The interpreter, of an environment with what the script imports. */
  readonly python: string;
  readonly script: URL;
  /** Read by the script as its only argument. */
  readonly settings: unknown;
  readonly environment: Readonly<Record<string, string>>;
  readonly onFrame: (frame: Frame) => void;
  /** A line of its stdout or stderr. */
  readonly log: (line: string) => void;
}

/** A Python process that speaks in frames; its stdout and stderr are free for what the user's code prints. */
export interface PythonProcess {
  send(header: unknown, body?: readonly Uint8Array[]): void;
  /** Resolves when the process has ended, with how it did. */
  readonly gone: Promise<string>;
  kill(): Promise<void>;
}

/** Variables that a script is given of the user's shell. It runs as the user: files and processes are as open to it as to them. */
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'USERPROFILE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
];

/** Starts a script that answers frames. It ends by itself when this process does, whatever it is at. */
export function startPythonProcess(options: PythonProcessOptions): PythonProcess {
  const { python, script, settings, environment, onFrame, log } = options;
  const library = fileURLToPath(new URL('./python/', import.meta.url));
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const child = spawn(python, [fileURLToPath(script), JSON.stringify(settings)], {
    env: {
      ...Object.fromEntries(inherited),
      OMP_NUM_THREADS: '1',
      ...environment,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: [library, environment['PYTHONPATH']]
        .filter(Boolean)
        .join(process.platform === 'win32' ? ';' : ':'),
      VIRTUAL_ENV: dirname(dirname(python)),
    },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const gone = Promise.withResolvers<string>();
  let lastWords = '';
  const hear = (line: string): void => {
    if (line.trim() !== '') lastWords = line.trim();
    log(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', hear);
  }
  const answers = child.stdio[3];
  if (!(answers instanceof Readable)) throw new TypeError('the process has no channel for its answers');
  const reader = new FrameReader();
  answers.on('data', (piece: Buffer) => {
    try {
      for (const frame of reader.push(piece)) onFrame(frame);
    } catch (error) {
      // Code in the process wrote into the channel: nothing that follows can be trusted.
      hear(`The Python process broke its channel: ${error instanceof Error ? error.message : String(error)}`);
      child.kill('SIGKILL');
    }
  });
  // A process that ends breaks its pipes; how it ended is told by `gone`.
  child.stdin.on('error', () => undefined);
  answers.on('error', () => undefined);
  child.on('error', (error) => gone.resolve(`${python} does not start: ${error.message}`));
  child.on('close', (code, signal) =>
    gone.resolve(`the Python process ended with ${signal ?? `code ${code}`}${lastWords && `: ${lastWords}`}`),
  );
  return {
    send(header, body) {
      child.stdin.write(encodeFrame(header, body));
    },
    gone: gone.promise,
    async kill() {
      child.kill('SIGKILL');
      await gone.promise;
    },
  };
}
