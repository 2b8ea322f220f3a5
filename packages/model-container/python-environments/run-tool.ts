import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The program is not installed. */
export class ToolMissing extends Error {
  override readonly name = 'ToolMissing';
}

/** Output of a program on both of its streams, and how it ended. */
export interface ToolResult {
  readonly code: number;
  /** Its last lines. */
  readonly output: string;
}

const KEPT_LINES = 60;

/** Where a program runs, and what hears its lines while it does. Nothing limits how long it runs. */
export interface ToolOptions {
  readonly cwd?: string;
  /** Variables next to this program's own. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/**
 * Runs a program to its end, line by line.
 *
 * @throws {ToolMissing} if the program does not exist
 */
export function runTool(
  command: string,
  args: readonly string[],
  { cwd, environment = {}, onLine = () => undefined }: ToolOptions = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      ...(cwd !== undefined && { cwd }),
    });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (lines.push(line) > KEPT_LINES) lines.shift();
        onLine(line);
      });
    }
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new ToolMissing(`${command} is not installed`) : error),
    );
    child.on('close', (code) => resolve({ code: code ?? 1, output: lines.join('\n') }));
  });
}
