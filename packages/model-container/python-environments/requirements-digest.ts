import type { Hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a requirements file may name files next to it; they are only the same where the files are. */
export function namesFiles(requirements: string): boolean {
  return /^[ \t]*(-|\.|\/|file:)|\.whl|\.txt|\s@\s/m.test(requirements);
}

/** Adds names and content of all files of a folder. */
export async function hashFiles(folder: string, hash: Hash): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(`${file.slice(folder.length)}\0`).update(await readFile(file));
}
