import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';

/** A tar archive of files, and of further entries without a body. */
export async function tarOf(
  files: Readonly<Record<string, string | Buffer>>,
  entries: readonly (Partial<Header> & { name: string })[] = [],
): Promise<Buffer> {
  const tar = pack();
  for (const [name, body] of Object.entries(files)) tar.entry({ name, mtime: new Date(0) }, body);
  for (const header of entries) tar.entry(header as Header);
  tar.finalize();
  return Buffer.concat((await Array.fromAsync(tar)) as Buffer[]);
}

/** The same as a `model.tar.gz`. */
export async function modelArchive(...content: Parameters<typeof tarOf>): Promise<Buffer> {
  return gzipSync(await tarOf(...content));
}
