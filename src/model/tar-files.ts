import { Condition } from '../problem/conditions.ts';

const BLOCK = 512;
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
  /** Undefined where fewer bytes are left. */
  take(count: number): Promise<Uint8Array | undefined>;
  /** False where fewer bytes are left. */
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
    const header = await bytes.take(BLOCK);
    if (header === undefined || header.every((byte) => byte === 0)) break;
    const { name, size, type } = readHeader(header);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
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

function readHeader(header: Uint8Array): { name: string; size: number; type: string } {
  const text = (from: number, length: number): string =>
    untilNul(decoder.decode(header.subarray(from, from + length)));
  // The sum counts its own field as spaces.
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (Number.parseInt(text(148, 8).trim(), 8) !== sum)
    throw new Condition('TarDamaged', 'a header in it has a wrong checksum');
  const prefix = text(257, 5) === 'ustar' && header[262] === 0 ? text(345, 155) : '';
  const name = text(0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readSize(header.subarray(124, 136)),
    type: String.fromCharCode(header[156] ?? 0),
  };
}

/** Octal digits, or, for sizes of 8 GiB and more, a binary number with the first bit set. */
function readSize(field: Uint8Array): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return field.subarray(4).reduce((value, byte) => value * 256 + byte, 0);
  const digits = untilNul(decoder.decode(field)).trim();
  const size = digits === '' ? 0 : Number.parseInt(digits, 8);
  if (Number.isNaN(size)) throw new Condition('TarDamaged', 'a header in it has no size');
  return size;
}

function untilNul(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
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

/** Takes and skips bytes of a stream, independent of how it is chunked. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Undefined at the end, or where fewer bytes are left. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(count);
    for (let at = 0; at < count;) {
      if (this.#piece.length === 0 && !(await this.#next())) return undefined;
      const part = this.#piece.subarray(0, count - at);
      taken.set(part, at);
      at += part.length;
      this.#piece = this.#piece.subarray(part.length);
    }
    return taken;
  }

  /** False where fewer bytes are left. */
  async skip(count: number): Promise<boolean> {
    for (let left = count; left > 0;) {
      if (this.#piece.length === 0 && !(await this.#next())) return false;
      const step = Math.min(left, this.#piece.length);
      this.#piece = this.#piece.subarray(step);
      left -= step;
    }
    return true;
  }

  /** Reads the rest of the stream after the archive, so that the source can end. */
  async drain(): Promise<void> {
    while (await this.#next());
  }

  async #next(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    this.#piece = done === true ? new Uint8Array() : value;
    return done !== true;
  }
}
