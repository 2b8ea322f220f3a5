import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { HIDDEN_FILES, isHidden } from '../../file-kind/hidden-name.ts';
import { plural } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { Refusal } from '../refusal.ts';

/** A file of this machine that is to be uploaded. */
export interface LocalFile {
  /** Path in the file system. */
  readonly file: string;
  /** Path below the folder with `/`, as it becomes part of a key. */
  readonly relative: string;
  readonly sizeBytes: number;
}

/**
 * Every file below a folder, in order of its relative path, and the number of hidden ones, which are not inputs.
 *
 * @throws {Refusal} if the folder does not exist, is not a folder, or holds no file or a symbolic link, behind which may be any file
 */
export async function listLocalFiles(
  folder: string,
): Promise<{ readonly files: readonly LocalFile[]; readonly hidden: number }> {
  const info = await stat(folder).catch(() => undefined);
  if (info === undefined) throw new Refusal(`${folder} does not exist`);
  if (!info.isDirectory())
    throw new Refusal(`${folder} is not a folder; give the folder that holds the files`);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries = found.filter((entry) => entry.isFile());
  const links = found.filter((entry) => entry.isSymbolicLink() && !isHidden(relativePath(folder, entry)));
  const [link] = links;
  if (link !== undefined)
    throw new Refusal(
      `${folder} holds ${plural(links.length, 'symbolic link')}, such as ${relativePath(folder, link)}, and links are ` +
        `not followed: give a copy that holds the files themselves (cp -rL ${quoted(folder)} COPY)`,
    );
  const files = await Promise.all(
    entries
      .filter((entry) => !isHidden(relativePath(folder, entry)))
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        const { size } = await stat(file);
        return { file, relative: relativePath(folder, entry), sizeBytes: size };
      }),
  );
  if (files.length === 0) throw new Refusal(`${folder} holds no files (${HIDDEN_FILES} do not count)`);
  files.sort((a, b) => (a.relative < b.relative ? -1 : 1));
  return { files, hidden: entries.length - files.length };
}

function relativePath(folder: string, { parentPath, name }: Dirent): string {
  return path.relative(folder, path.join(parentPath, name)).split(path.sep).join('/');
}
