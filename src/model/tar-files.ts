import { Condition } from '../problem/conditions.ts';
import { ByteReader } from './byte-reader.ts';
import { readTarHeader, TAR_BLOCK, untilNul } from './tar-header.ts';

/** Cap on a long name or pax header, which is kept in memory. */
const MAX_HEADER_BYTES = 1_000_000;
const decoder = new TextDecoder();

/** A file of an archive. Its body can be read until the next file is asked for; the rest of it is then skipped. */
interface TarFile {
  readonly name: string;
  readonly body: FileBody;
}

/** A file's bytes, read from its beginning. */
export interface FileBody {
  /** Bytes that are neither taken nor skipped yet. */
  readonly left: number;
  /** Undefined if fewer bytes are left. */
  take(count: number): Promise<Uint8Array | undefined>;
  /** False if fewer bytes are left. */
  skip(count: number): Promise<boolean>;
}

/**
 * The files in a tar archive (ustar, pax and GNU long names), read from a stream.
 *
 * @throws {TarDamaged}
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 */
export async function* tarFiles(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const bytes = new ByteReader(archive);
  let longName: string | undefined;
  for (;;) {
    const header = await bytes.take(TAR_BLOCK);
    if (header === undefined || header.every((byte) => byte === 0)) break;
    const { name, size, type } = readTarHeader(header);
    const padded = Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
    if (type === 'L' || type === 'x') {
      if (size > MAX_HEADER_BYTES) throw new Condition('TarDamaged', 'it has a name that is too long');
      const body = await bytes.take(padded);
      if (body === undefined) throw new Condition('TarDamaged', 'it ends within a header');
      const text = decoder.decode(body.subarray(0, size));
      longName = type === 'L' ? untilNul(text) : (paxPath(text) ?? longName);
      continue;
    }
    // `0`, NUL and `7` are files; all other types are folders, links or headers without meaning here.
    const body = new BoundedReader(bytes, size);
    if (type === '0' || type === '\0' || type === '7') yield { name: longName ?? name, body };
    if (type !== 'g') longName = undefined;
    if (!(await bytes.skip(body.left + padded - size)))
      throw new Condition('TarDamaged', `it ends within ${JSON.stringify(name)}`);
  }
  await bytes.drain();
}

/** Records are `<length> <key>=<value>\n`. */
function paxPath(records: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1];
}

class BoundedReader implements FileBody {
  readonly #bytes: ByteReader;
  left: number;

  constructor(bytes: ByteReader, left: number) {
    this.#bytes = bytes;
    this.left = left;
  }

  async take(count: number): Promise<Uint8Array | undefined> {
    if (count > this.left) return undefined;
    this.left -= count;
    return this.#bytes.take(count);
  }

  async skip(count: number): Promise<boolean> {
    if (count > this.left) return false;
    this.left -= count;
    return this.#bytes.skip(count);
  }
}
