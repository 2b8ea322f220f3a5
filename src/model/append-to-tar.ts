import { pack } from 'tar-stream';
import { Condition } from '../problem/conditions.ts';
import { ByteReader } from './byte-reader.ts';
import { readTarHeader, TAR_BLOCK } from './tar-header.ts';

/** A file to put into an archive. */
export interface AddedFile {
  readonly name: string;
  readonly body: Uint8Array;
}

/**
 * A tar archive with further files at its end; its former content stays byte for byte as it is. Equal input gives equal bytes.
 *
 * @throws {TarDamaged}
 */
export async function* appendToTar(
  archive: AsyncIterable<Uint8Array>,
  files: readonly AddedFile[],
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteReader(archive);
  for (;;) {
    const header = await bytes.take(TAR_BLOCK);
    if (header === undefined || header.every((byte) => byte === 0)) break;
    const { name, size } = readTarHeader(header);
    yield header;
    let left = Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
    for await (const piece of bytes.pieces(left)) {
      left -= piece.length;
      yield piece;
    }
    if (left > 0) throw new Condition('TarDamaged', `it stops within ${JSON.stringify(name)}`);
  }
  await bytes.drain();
  const added = pack();
  for (const { name, body } of files)
    added.entry({ name, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0 }, Buffer.from(body));
  added.finalize();
  for await (const piece of added) if (piece instanceof Uint8Array) yield piece;
}
