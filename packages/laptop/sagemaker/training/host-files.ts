import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** A file of a host, by its name below the folder that is merged. */
interface HostFile {
  readonly name: string;
  readonly file: string;
}

/** Files below the same folder of all hosts. */
export interface MergedFiles {
  /** In the order of names; of files with one name the first host's. */
  readonly files: readonly HostFile[];
  /** Neither files nor folders, such as links: they are not uploaded. */
  readonly others: readonly string[];
}

/** Merges folders, the first host's first. */
export async function mergeFolders(folders: readonly string[]): Promise<MergedFiles> {
  const files = new Map<string, string>();
  const others = new Set<string>();
  for (const folder of folders) {
    for (const entry of await entriesOf(folder)) {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, file).replaceAll(path.sep, '/');
      if (entry.isFile() && !files.has(name)) files.set(name, file);
      if (!entry.isFile() && !entry.isDirectory()) others.add(name);
    }
  }
  const sorted = [...files]
    .map(([name, file]) => ({ name, file }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files: sorted, others: [...others].sort() };
}

/** Everything below a folder; nothing for one that the script has removed, or made a file of. */
export async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** A `tar.gz` of the files, as it is made. */
export async function* packFiles(files: readonly HostFile[]): AsyncGenerator<Buffer> {
  const archive = pack();
  const fill = async (): Promise<void> => {
    for (const { name, file } of files) {
      const { size, mode, mtime } = await stat(file);
      const entry = archive.entry({ name, size, mode: mode & 0o777, mtime });
      await pipeline(createReadStream(file, size === 0 ? {} : { end: size - 1 }), entry);
    }
    archive.finalize();
  };
  const gzip = createGzip();
  const packed = Promise.all([
    fill().catch((error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }),
    pipeline(archive, gzip),
  ]);
  packed.catch(() => undefined);
  for await (const chunk of gzip) if (Buffer.isBuffer(chunk)) yield chunk;
  await packed;
}
