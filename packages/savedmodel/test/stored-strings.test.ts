import { expect, test } from 'vitest';
import { crc32c, maskChecksum } from '../savedmodel/crc32c.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import { parseStrings } from '../savedmodel/tensor-bundle.ts';

const TEXTS = ['red', '', 'grün', 'x'.repeat(300)];

/** As TensorFlow's WriteStringTensor lays strings out, with the checksum of the whole tensor. */
function stored(texts: readonly string[]): { bytes: Buffer; checksum: number } {
  const parts = texts.map((text) => Buffer.from(text));
  const plain = Buffer.alloc(4 * parts.length);
  parts.forEach((part, index) => plain.writeUInt32LE(part.length, 4 * index));
  const lengths = parts.flatMap(({ length }) =>
    length < 128 ? [length] : [(length & 127) | 128, length >> 7],
  );
  const check = Buffer.alloc(4);
  check.writeUInt32LE(maskChecksum(crc32c(plain)));
  const rest = Buffer.concat([check, ...parts]);
  return {
    bytes: Buffer.concat([Buffer.from(lengths), rest]),
    checksum: maskChecksum(crc32c(Buffer.concat([plain, rest]))),
  };
}

const { bytes, checksum } = stored(TEXTS);
const read = (given: Uint8Array, count = TEXTS.length) => parseStrings(given, count, checksum, 'colors');

test('strings are read as they were stored', () => {
  expect(read(bytes).map((text) => Buffer.from(text).toString())).toEqual(TEXTS);
});

test('every changed bit is found', () => {
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => read(damaged), `bit ${bit}`).toThrow(BrokenModel);
  }
});

test('every cut, what follows the last string, and another number of strings are found', () => {
  for (let length = 0; length < bytes.length; length++)
    expect(() => read(bytes.subarray(0, length)), `${length} bytes`).toThrow(BrokenModel);
  expect(() => read(Buffer.concat([bytes, Buffer.from('!')]))).toThrow(BrokenModel);
  for (const count of [0, 3, 5, 2 ** 40]) expect(() => read(bytes, count)).toThrow(BrokenModel);
});
