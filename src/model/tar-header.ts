import { Condition } from '../problem/conditions.ts';

/** A tar archive consists of blocks of this many bytes. */
export const TAR_BLOCK = 512;

const decoder = new TextDecoder();

/**
 * Reads a header of a tar archive; `size` is of the body in bytes, without padding.
 *
 * @throws {TarDamaged}
 */
export function readTarHeader(header: Uint8Array): {
  name: string;
  size: number;
  type: string;
  /** Permission bits. */
  mode: number;
  /** Whether a block with more of its list of holes follows, as GNU tar writes it for a file with more than four. */
  hasMoreHoles: boolean;
} {
  const text = (from: number, length: number): string =>
    untilNul(decoder.decode(header.subarray(from, from + length)));
  // The sum counts its own field as spaces.
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (Number.parseInt(text(148, 8).trim(), 8) !== sum)
    throw new Condition('TarDamaged', 'a header in it has a wrong checksum');
  const prefix = text(257, 5) === 'ustar' && header[262] === 0 ? text(345, 155) : '';
  const name = text(0, 100);
  const type = String.fromCharCode(header[156] ?? 0);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode: Number.parseInt(text(100, 8).trim(), 8) & 0o7777,
    size: readSize(header.subarray(124, 136)),
    type,
    hasMoreHoles: type === 'S' && header[482] === 1,
  };
}

/** Octal digits, or, for sizes of 8 GiB and more, a binary number with the first bit set. */
function readSize(field: Uint8Array): number {
  const isBinary = ((field[0] ?? 0) & 0x80) !== 0;
  const digits = untilNul(decoder.decode(field)).trim();
  const octal = digits === '' ? 0 : Number.parseInt(digits, 8);
  const size = isBinary ? field.subarray(4).reduce((value, byte) => value * 256 + byte, 0) : octal;
  if (!Number.isSafeInteger(size) || size < 0)
    throw new Condition('TarDamaged', 'a header in it has no size');
  return size;
}

/** A field's text. */
export function untilNul(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}
