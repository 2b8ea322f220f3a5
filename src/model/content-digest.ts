import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { compareByteOrder } from '../text/byte-order.ts';
import { isCutOrDamaged } from './read-archive.ts';
import { tarEntries } from './tar-entries.ts';
import { isFileType } from './tar-files.ts';

/**
 * Digest of the files in a model.tar.gz: their names, modes and bytes, in the order of their names. It's the same for one model that was
 * packed twice. Null if the archive can't be read, or has links or files with holes.
 */
export async function contentDigest(archive: AsyncIterable<Uint8Array>): Promise<string | null> {
  const files: { readonly name: string; readonly line: string }[] = [];
  let isPlain = true;
  try {
    await pipeline(Readable.from(archive), createGunzip(), async (tar: AsyncIterable<Uint8Array>) => {
      for await (const { name: path, type, mode, body } of tarEntries(tar)) {
        if (type === '5') continue;
        isPlain &&= isFileType(type);
        const hash = createHash('sha256');
        for await (const piece of body.pieces()) hash.update(piece);
        const name = path.replace(/^(\.\/)+/, '');
        files.push({ name, line: JSON.stringify([name, mode, hash.digest('hex')]) });
      }
    });
  } catch (error) {
    if (isCutOrDamaged(error)) return null;
    throw error;
  }
  if (!isPlain || files.length === 0) return null;
  const lines = files.toSorted((a, b) => compareByteOrder(a.name, b.name));
  const hash = createHash('sha256');
  return hash.update(lines.map(({ line }) => line).join('\n')).digest('hex');
}
