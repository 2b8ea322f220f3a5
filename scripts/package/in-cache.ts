import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../parts.mjs';

/** A folder of the user's cache with the files that `make` writes from `source`, made once for each content. */
export async function inCache(
  kind: string,
  source: Uint8Array,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const folder = path.join(cacheFolder(), kind, digest);
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  const aside = await mkdtemp(`${folder}-`);
  try {
    await make(aside);
    // Another process may have been faster: what it has made is the same.
    if (!existsSync(folder)) await rename(aside, folder);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return folder;
}
