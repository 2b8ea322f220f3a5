import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../python-environments/cache-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A new cache folder without Python environments. Snapshots of Python are the user's own: making one takes seconds. */
export function ownCache(): string {
  const snapshots = join(cacheFolder(), 'snapshots');
  mkdirSync(snapshots, { recursive: true, mode: 0o700 });
  const cache = temporaryFolder('cache-');
  symlinkSync(snapshots, join(cache, 'snapshots'), 'junction');
  return cache;
}
