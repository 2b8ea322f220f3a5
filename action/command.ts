import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';

const COMMAND = path.resolve(import.meta.dirname, '..', 'bin', 'inferdrop.mjs');

/** A command's end. */
interface Ended {
  readonly code: number;
  readonly output: string;
}

/** The command line for a stage of the deployed stack, or of one that comes up on this machine. */
interface Commands {
  run(...args: readonly string[]): Promise<Ended>;
  /** Brings the stack up on this machine; later commands use it. The returned function stops it, and waits for its last words. */
  startStack(folder: string): Promise<() => Promise<void>>;
}

/**
 * Runs commands that write the step's log. Names of files and models' output are in it, so it goes through the same pipe as the
 * output of `withoutCommands`, for the runner to read in order.
 */
export function commands(stage: string): Commands {
  const environment: Record<string, string> = {};
  const start = (args: readonly string[], onOutput: (text: string) => void) => {
    const child = spawn(process.execPath, [COMMAND, ...args, '--stage', stage], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    child.stdout.setEncoding('utf8').on('data', onOutput);
    child.stderr.on('data', (bytes: Buffer) => process.stdout.write(bytes));
    const ended = new Promise<number>((resolve, reject) => {
      child.on('error', reject).on('close', (code) => resolve(code ?? 1));
    });
    const stop = async (): Promise<void> => {
      child.kill('SIGINT');
      await ended;
    };
    return { ended, stop };
  };
  return {
    async run(...args) {
      let output = '';
      const code = await start(args, (text) => (output += text)).ended;
      return { code, output };
    },
    async startStack(folder) {
      let output = '';
      let isUp = (): void => undefined;
      const up = new Promise<void>((resolve) => (isUp = resolve));
      const stack = start(['up', '--port', '0', '--data', folder], (text) => {
        output += text;
        if (output.includes('alias ')) isUp();
      });
      await Promise.race([
        up,
        stack.ended.then((code) => {
          throw new Error(`the stack stopped with ${code}`);
        }),
      ]);
      for (const [, line = ''] of output.matchAll(/^export (.*)$/gm))
        for (const [, name = '', value = ''] of line.matchAll(/(\w+)=(\S+)/g)) environment[name] = value;
      return stack.stop;
    },
  };
}

/**
 * Keeps the runner from taking lines that are printed meanwhile for its own commands, such as `::error::` (docs.github.com, "Workflow
 * commands", stopping and starting).
 */
export async function withoutCommands<T>(work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    return await work();
  } finally {
    process.stdout.write(`\n::${token}::\n`);
  }
}
