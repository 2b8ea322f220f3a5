import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from './usage-error.ts';

export interface LocalFile {
  /** Path in the file system. */
  readonly file: string;
  /** Path below the folder with `/`, as it becomes part of a key. */
  readonly relative: string;
  readonly sizeBytes: number;
}

/**
 * Every file below a folder, in order of its relative path.
 *
 * @throws {UsageError} if the folder is not there, is no folder, or holds no file
 */
export async function listLocalFiles(folder: string): Promise<readonly LocalFile[]> {
  const info = await stat(folder).catch(() => undefined);
  if (info === undefined) throw new UsageError(`${folder} does not exist`);
  if (!info.isDirectory())
    throw new UsageError(`${folder} is not a folder; give the folder that holds the files`);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        const { size } = await stat(file);
        return { file, relative: path.relative(folder, file).split(path.sep).join('/'), sizeBytes: size };
      }),
  );
  if (files.length === 0) throw new UsageError(`${folder} holds no files`);
  return files.sort((a, b) => (a.relative < b.relative ? -1 : 1));
}
