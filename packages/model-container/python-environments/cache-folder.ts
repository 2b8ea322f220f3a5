import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where what is slow to make is kept between runs: `INFERDROP_CACHE`, or the user's own cache folder. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { INFERDROP_CACHE: named, XDG_CACHE_HOME: xdg } = environment;
  if (named !== undefined && named !== '') return resolve(named);
  return join(xdg === undefined || xdg === '' ? join(homedir(), '.cache') : xdg, 'inferdrop');
}
