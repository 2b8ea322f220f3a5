import { Condition } from '../problem/conditions.ts';
import { ByteReader } from './byte-reader.ts';
import { readTarHeader, TAR_BLOCK, untilNul } from './tar-header.ts';

/** Cap on a long name or pax header, which is kept in memory. */
const MAX_HEADER_BYTES = 1_000_000;
/** Place of the byte that says, in a block of GNU's list of holes, whether another one follows. */
const MORE_HOLES = 504;
const decoder = new TextDecoder();

/** An entry of an archive. Its body can be read until you ask for the next entry; the rest of it is then skipped. */
export interface TarEntry {
  readonly name: string;
  /** `0`, `7` or NUL for a file, `5` for a folder, `1` and `2` for links, `S` for a file with holes; others are rare. */
  readonly type: string;
  /** Permission bits. */
  readonly mode: number;
  /** Bytes before its body. */
  readonly start: number;
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
  /** The remaining bytes, as they come; fewer if the archive is cut off. */
  pieces(): AsyncGenerator<Uint8Array>;
}

/** Facts that a header gives about the entry after it. */
interface Ahead {
  readonly name?: string;
  readonly size?: number;
  readonly hasHoles?: true;
}

/**
 * The entries of a tar archive (ustar, pax and GNU long names), read from a stream in bounded memory.
 *
 * @param onDamage called with each damage, if the entries before and after it are of use: an unreadable header is skipped up to the
 * next readable one, and an archive without an end mark, or with more data after it, counts as damaged
 * @param onMore called if the archive goes on after its end mark, which counts as damage unless this is given
 * @throws {TarDamaged} at the first damage, without `onDamage`
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 */
export async function* tarEntries(
  archive: AsyncIterable<Uint8Array>,
  onDamage?: (message: string) => void,
  onMore = () => onDamage?.('it goes on after its end mark: what follows is not read'),
): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(archive);
  let ahead: Ahead = {};
  let isLost = false;
  for (;;) {
    const header = await bytes.take(TAR_BLOCK);
    if (header === undefined) {
      if (!isLost) onDamage?.('it stops without an end mark: it was cut short');
      return;
    }
    if (header.every((byte) => byte === 0)) {
      if (!isLost) break;
      continue;
    }
    const read = readable(header, onDamage === undefined);
    if (read === undefined) {
      if (!isLost) onDamage?.(`the header at byte ${bytes.position - TAR_BLOCK} is damaged`);
      isLost = true;
      continue;
    }
    isLost = false;
    const { type, mode } = read;
    const isExtension = type === 'L' || type === 'x';
    const { name, size } = isExtension ? read : { ...read, ...ahead };
    const padding = (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
    const cutOff = `it stops within ${JSON.stringify(isExtension ? 'a header' : name)}`;
    if (isExtension && size <= MAX_HEADER_BYTES) {
      const body = await bytes.take(size + padding);
      if (body === undefined) return cutShort('it stops within a header', onDamage);
      const text = body.subarray(0, size);
      ahead = { ...ahead, ...(type === 'L' ? { name: untilNul(decoder.decode(text)) } : paxFacts(text)) };
      continue;
    }
    if (isExtension && onDamage === undefined)
      throw new Condition('TarDamaged', 'it has a name that is too long');
    if (isExtension)
      onDamage?.(`the header at byte ${bytes.position - TAR_BLOCK} has a name that is too long`);
    // The list of holes goes on in blocks of its own, which the size leaves out.
    for (let goesOn = read.hasMoreHoles; goesOn;) {
      const holes = await bytes.take(TAR_BLOCK);
      if (holes === undefined) return cutShort(cutOff, onDamage);
      goesOn = holes[MORE_HOLES] === 1;
    }
    const body = new BoundedReader(bytes, size);
    // `g` and `K` are headers that say nothing about an entry's own bytes.
    const isHeader = isExtension || type === 'g' || type === 'K';
    if (!isHeader) {
      const { hasHoles } = ahead;
      ahead = {};
      yield { name, type: hasHoles ? 'S' : type, mode, start: bytes.position, body };
    }
    if (!(await bytes.skip(body.left + padding))) return cutShort(cutOff, onDamage);
  }
  if (await bytes.hasMore()) onMore();
}

function cutShort(message: string, onDamage?: (message: string) => void): void {
  if (onDamage === undefined) throw new Condition('TarDamaged', message);
  onDamage(message);
}

/** Undefined for a damaged header, if that is no error. */
function readable(header: Uint8Array, isStrict: boolean): ReturnType<typeof readTarHeader> | undefined {
  try {
    return readTarHeader(header);
  } catch (error) {
    if (isStrict || !(error instanceof Condition)) throw error;
    return undefined;
  }
}

/** Records are `<length> <key>=<value>\n`. The length counts all of it, and a value may have any bytes. */
function paxFacts(records: Uint8Array): Ahead {
  const facts: { name?: string; trueName?: string; size?: number; hasHoles?: true } = {};
  for (let at = 0; at < records.length;) {
    const space = records.indexOf(0x20, at);
    const length = space === -1 ? Number.NaN : Number(decoder.decode(records.subarray(at, space)));
    if (!Number.isInteger(length) || length <= space - at) break;
    const record = decoder.decode(records.subarray(space + 1, at + length - 1));
    const equals = record.indexOf('=');
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
    // In GNU's format 1.0 the path is a made-up one.
    if (key === 'GNU.sparse.name') facts.trueName = value;
    if (key === 'path') facts.name = value;
    if (key === 'size' && /^\d{1,15}$/.test(value)) facts.size = Number(value);
    if (key.startsWith('GNU.sparse.')) facts.hasHoles = true;
    at += length;
  }
  const { trueName, ...own } = facts;
  return trueName === undefined ? own : { ...own, name: trueName };
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

  async *pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#bytes.pieces(this.left)) {
      this.left -= piece.length;
      yield piece;
    }
  }
}
