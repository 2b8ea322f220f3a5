import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Folder for things that are slow to make, kept between runs: `INFERDROP_CACHE`, or the user's own cache folder.
 *
 * @throws {Error} if others may write there: what lies there is run as it is
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { INFERDROP_CACHE: named, XDG_CACHE_HOME: xdg } = environment;
  const folder =
    named !== undefined && named !== ''
      ? resolve(named)
      : join(xdg === undefined || xdg === '' ? join(homedir(), '.cache') : xdg, 'inferdrop');
  if (process.getuid === undefined || !existsSync(folder)) return folder;
  const { uid, mode } = statSync(folder);
  if (uid === process.getuid() && (mode & 0o022) === 0) return folder;
  throw new Error(
    `${folder}: inferdrop runs programs from this folder, so it must be yours and nobody else may write there: chmod ` +
      '700, or name another one in INFERDROP_CACHE',
  );
}
