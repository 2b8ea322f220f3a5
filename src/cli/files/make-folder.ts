import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder that a person has named, and those above it. Node's own recursive `mkdir` never returns below /proc: it takes "not there"
 * for a missing parent.
 *
 * @throws {Error} if the folder above is there and takes no other
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = path.dirname(path.resolve(folder));
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    if (code !== 'ENOENT') throw error;
    if (await isFolder(parent))
      throw new Error(
        `${path.resolve(folder)} cannot be made, since no folder can be made in ${parent}: name another place`,
        { cause: error },
      );
    await makeFolder(parent, mode);
    await makeFolder(folder, mode);
  }
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
