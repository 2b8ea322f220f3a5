import { constants, createUnzip } from 'node:zlib';
import { HEAD_BYTES } from './file-kind.ts';

/** The beginning within a file that gzip has compressed, as far as its own beginning holds it; undefined for another file. */
export async function unpackedHead(head: Uint8Array): Promise<Uint8Array | undefined> {
  return head[0] === 0x1f && head[1] === 0x8b ? unzippedHead(head) : undefined;
}

/** The beginning within a file that gzip or zlib has compressed; empty for another file. */
export async function unzippedHead(head: Uint8Array): Promise<Uint8Array> {
  const unzip = createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
  unzip.end(head);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unzip) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= HEAD_BYTES) break;
    }
  } catch {
    // What is damaged is what was read before.
  }
  return Buffer.concat(chunks);
}

/** Whether gzip can't unpack what it was given. */
export function isZipError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^Z_(?:BUF|DATA)_ERROR$/.test(String(error.code));
}
