import { expect, test } from 'vitest';
import { crc32c, maskChecksum } from '../savedmodel/crc32c.ts';
import { decompressSnappy } from '../savedmodel/snappy.ts';

const decompress = (...bytes: number[]) =>
  Buffer.from(decompressSnappy(Uint8Array.from(bytes))).toString('latin1');

test('decompresses literals and copies of each form', () => {
  // "abcd", then 4 bytes from 4 back (1-byte offset), 5 from 2 back (2 bytes, overlapping), 3 from 1 back (4 bytes).
  const block = [
    16, 0x0c, 0x61, 0x62, 0x63, 0x64, 0x01, 0x04, 0x12, 0x02, 0x00, 0x0b, 0x01, 0x00, 0x00, 0x00,
  ];
  expect(decompress(...block)).toBe('abcdabcdcdcdcccc'.slice(0, 13) + 'ccc');
});

test('decompresses a literal with its length behind the tag', () => {
  const text = 'x'.repeat(70);
  expect(decompress(70, 60 << 2, 69, ...Buffer.from(text))).toBe(text);
});

test.each([
  ['a copy from before the start', [8, 0x00, 0x61, 0x01, 0x05]],
  ['a copy from nowhere', [8, 0x00, 0x61, 0x01, 0x00]],
  ['less than it claims', [9, 0x00, 0x61]],
  ['more than it claims', [1, 0x04, 0x61, 0x62]],
  ['a literal that is cut off', [4, 0x0c, 0x61]],
  ['a claim of gigabytes', [0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x61]],
])('refuses %s', (_, bytes) => {
  expect(() => decompress(...bytes)).toThrow(expect.objectContaining({ name: 'BrokenModel' }));
});

test('computes the checksums of RFC 3720', () => {
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e);
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
});

test('masks a checksum as LevelDB does', () => {
  const crc = crc32c(Buffer.from('foo'));
  expect(maskChecksum(crc)).not.toBe(crc);
  expect(maskChecksum(0)).toBe(0xa282ead8);
});
