import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Zips each folder in `from`, a function's code, into `to`: as `<function>.zip`. */
export async function zipFolders(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  await Promise.all(names.map((name) => zipFolder(path.join(from, name), path.join(to, `${name}.zip`))));
}

/** Zips the files of a folder, with names relative to it. The zip is reproducible. */
export async function zipFolder(folder: string, file: string, compress = true): Promise<void> {
  const archive = new ZipFile();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const one of files.sort())
    archive.addFile(one, path.relative(folder, one).split(path.sep).join('/'), {
      compress,
      mtime: new Date(Date.UTC(2020, 0, 1)),
      mode: 0o100644,
    });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}
