import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Tells this process from one that was killed and had its id. */
const TOKEN = randomUUID();
const NAME = /^inferdrop-(?:model|conversion)-(\d+)-([\da-f-]{36})-/;

/**
 * Makes a folder for temporary files. Those that a killed process left are removed first: the function's next process
 * has the same disk, which they would fill.
 */
export async function scratchFolder(what: 'model' | 'conversion'): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const [found, pid, token] = NAME.exec(name) ?? [];
    if (found === undefined || isAlive(Number(pid), token)) continue;
    await rm(path.join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtemp(path.join(tmpdir(), `inferdrop-${what}-${process.pid}-${TOKEN}-`));
}

function isAlive(pid: number, token: string | undefined): boolean {
  if (pid === process.pid) return token === TOKEN;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
