import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { version } from 'pyodide';
import { cacheFolder } from '../python-environments/cache-folder.ts';
import { SNAPSHOT_MODULES } from './snapshot-modules.ts';

/** Made once by a program: containers that start together wait for one. */
let made: Promise<string> | undefined;

/**
 * The file with the memory of a Python that has booted: the first boot on a machine costs seconds of CPU, and a boot from a
 * snapshot a tenth of that. A snapshot belongs to one release of Pyodide, of Node and of this stack's modules. It is made by a
 * process that runs no script, so that no script can change it. It's also a program, so it lies in the user's own cache: the
 * package's folder may be another user's.
 */
export function pyodideSnapshot(): Promise<string> {
  made ??= ensureSnapshot().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

async function ensureSnapshot(): Promise<string> {
  const hash = createHash('sha256');
  for (const module of Object.values(SNAPSHOT_MODULES)) hash.update(readFileSync(module));
  const file = join(
    cacheFolder(),
    'snapshots',
    `python-${version}-${hash.digest('hex').slice(0, 12)}-node-${process.version}-${process.arch}.snapshot`,
  );
  if (existsSync(file)) return file;
  const program = createRequire(import.meta.url).resolve('#model-container/handlers/make-snapshot.ts');
  const env = { ...process.env, TZ: 'UTC' };
  const maker = fork(program, [file], { execArgv: [], stdio: 'inherit', env });
  const [code, signal]: unknown[] = await once(maker, 'exit');
  if (code !== 0)
    throw new Error(
      `${file}: the snapshot of Python cannot be made (${String(signal ?? `code ${String(code)}`)}); the reason is above`,
    );
  return file;
}
