import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type RestrictedNode, restrictedNode } from '@inferdrop/savedmodel/internal/restricted-node';
import { findTool } from '../find-tool.ts';

/** How a program is started. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
}

/** JavaScript heap, which holds messages on their way; Python's memory is WebAssembly's. */
const HEAP_MB = 512;
/** Limit in pages of 64 KiB: 2 GiB. */
const PYTHON_PAGES = 32_768;

/**
 * A module of this stack that runs Pyodide, which may read below `readable` and nothing else. The image's clock is in UTC.
 *
 * @throws {Error} for a path that Node's permission flags cannot express
 */
export function restrictedPyodide(
  entry: string,
  readable: readonly string[],
): Invocation & Pick<RestrictedNode, 'env'> {
  const { args, env } = restrictedNode(readable);
  return {
    command: process.execPath,
    args: [...args, `--max-old-space-size=${HEAP_MB}`, `--wasm-max-mem-pages=${PYTHON_PAGES}`, entry],
    env: { ...env, TZ: 'UTC' },
  };
}

let found: Promise<readonly string[]> | undefined;

/**
 * The command, if this machine has one, that isolates a program: a network without interfaces, no other process to signal, and
 * killed with the process that started it. For Linux with util-linux, if users may make namespaces; empty elsewhere.
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
export function behind<T extends Invocation>([program, ...first]: readonly string[], invocation: T): T {
  return program === undefined
    ? invocation
    : { ...invocation, command: program, args: [...first, invocation.command, ...invocation.args] };
}
