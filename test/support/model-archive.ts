import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';

/** A `model.tar.gz` of files, plus whatever odd entries a test wants in it. */
export async function modelArchive(
  files: Readonly<Record<string, string | Buffer>>,
  entries: readonly (Partial<Header> & { name: string })[] = [],
): Promise<Buffer> {
  const tar = pack();
  for (const [name, body] of Object.entries(files)) tar.entry({ name, mtime: new Date(0) }, body);
  for (const header of entries) tar.entry(header as Header);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}
