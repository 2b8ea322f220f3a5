import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { compareByteOrder } from '../../text/byte-order.ts';

/** A file on this machine, and its name in an archive. */
export interface Member {
  readonly name: string;
  readonly file: string;
  readonly sizeBytes: number;
}

/** The header's byte for the operating system; 255 is "unknown". */
const GZIP_OS_BYTE = 9;

/** Writes an archive. Names are sorted and times, owners and modes left out, so that the same files give the same bytes. */
export async function writeArchive(members: readonly Member[], output: string): Promise<readonly string[]> {
  const sorted = members.toSorted((a, b) => compareByteOrder(a.name, b.name));
  const tar = pack();
  const next = `${output}.${process.pid}.next`;
  const fill = async (): Promise<void> => {
    for (const { name, file, sizeBytes } of sorted) {
      const entry = tar.entry({ name, size: sizeBytes, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0 });
      await pipeline(createReadStream(file), entry);
    }
    tar.finalize();
  };
  try {
    await Promise.all([
      pipeline(tar, createGzip({ level: 9 }), withoutSystem, createWriteStream(next)),
      fill().catch((error: unknown) => {
        tar.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
    ]);
    await rename(next, output);
    return sorted.map(({ name }) => name);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

async function* withoutSystem(zipped: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of zipped) {
    const at = GZIP_OS_BYTE - position;
    if (at >= 0 && at < chunk.length) chunk[at] = 255;
    position += chunk.length;
    yield chunk;
  }
}
