import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Copies the files of a folder that `keep` takes, as this user's files: `cp` keeps modes, and a package's modes may forbid writing. */
export async function copyFolder(
  from: string,
  to: string,
  keep: (file: string) => boolean = () => true,
): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !keep(file)) continue;
    const copy = path.join(to, path.relative(from, file));
    await mkdir(path.dirname(copy), { recursive: true });
    await writeFile(copy, await readFile(file));
  }
}
