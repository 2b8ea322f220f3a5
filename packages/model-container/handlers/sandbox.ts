import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findTool } from '../find-tool.ts';

/** How a program is started. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
}

/** Heap of JavaScript, where messages lie on their way; Python's memory is WebAssembly's. */
const HEAP_MB = 512;
/** Limit in pages of 64 KiB: 2 GiB. */
const PYTHON_PAGES = 32_768;

/**
 * Node with a module of this stack that may read below `readable` and nothing else: no other file, no writing, no child process, no
 * worker, addon, WASI module or inspector, and no code from text.
 *
 * @throws {Error} for a path that Node's permission flags cannot express
 */
export function restrictedNode(entry: string, readable: readonly string[]): Invocation {
  for (const one of readable) {
    if (one.includes('*'))
      throw new Error(`${one}: a handler cannot run in a folder with an asterisk in its path: move it`);
  }
  return {
    command: process.execPath,
    args: [
      '--permission',
      ...readable.map((one) => `--allow-fs-read=${one}`),
      '--disallow-code-generation-from-strings',
      '--disable-proto=delete',
      '--disable-sigusr1',
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${HEAP_MB}`,
      `--wasm-max-mem-pages=${PYTHON_PAGES}`,
      entry,
    ],
  };
}

let found: Promise<readonly string[]> | undefined;

/**
 * The command, if this machine has one, behind which a program is alone: a network without any interface, no process but itself to
 * signal, and killed with the process that started it. Linux with util-linux, where users may make namespaces; empty elsewhere.
 */
export function isolation(): Promise<readonly string[]> {
  found ??= findIsolation();
  return found;
}

async function findIsolation(): Promise<readonly string[]> {
  const [setpriv, unshare] = [findTool('setpriv'), findTool('unshare')];
  if (process.platform !== 'linux' || setpriv === undefined || unshare === undefined) return [];
  const command = [
    setpriv,
    '--pdeathsig=KILL',
    unshare,
    '--map-current-user',
    '--net',
    '--pid',
    '--fork',
    '--kill-child',
  ];
  const [program = '', ...args] = command;
  const trial = spawn(program, [...args, process.execPath, '--version'], { env: {}, stdio: 'ignore' });
  const [code]: unknown[] = await once(trial, 'exit');
  return code === 0 ? command : [];
}

/** The same program behind `prefix`. */
export function behind([program, ...first]: readonly string[], invocation: Invocation): Invocation {
  return program === undefined
    ? invocation
    : { command: program, args: [...first, invocation.command, ...invocation.args] };
}
