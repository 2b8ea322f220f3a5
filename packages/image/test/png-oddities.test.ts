import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodePng } from '../decode-png.ts';

function chunk(type: string, data: Uint8Array): Buffer {
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function png(width: number, height: number, depth: number, colors: number, raw: Buffer, more: Buffer[] = []) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colors], 8);
  const chunks = [
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.of()),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

const rows = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, row) => Buffer.of(0, ...Array(6).fill(row * 7))));

test('rows that are too many are left out, as by libpng', () => {
  const right = decodePng(png(2, 2, 8, 2, rows(2)), 0, false);
  expect(decodePng(png(2, 2, 8, 2, rows(3)), 0, false)).toEqual(right);
  expect(decodePng(png(2, 2, 8, 2, rows(400)), 0, false)).toEqual(right);
  expect(() => decodePng(png(2, 2, 8, 2, rows(20_000)), 0, false)).toThrow(
    'PNG: far more rows than its header has',
  );
});

// TensorFlow 2.21's answers.
test('an index beyond a short palette is black, and opaque if the palette has transparency', () => {
  const indices = Buffer.of(0, 0, 1, 12, 255);
  const palette = chunk('PLTE', Buffer.of(10, 20, 30, 40, 50, 60));
  expect([...decodePng(png(4, 1, 8, 3, indices, [palette]), 0, false).data]).toEqual([
    10, 20, 30, 40, 50, 60, 0, 0, 0, 0, 0, 0,
  ]);
  const alpha = chunk('tRNS', Buffer.of(0, 100));
  expect([...decodePng(png(4, 1, 8, 3, indices, [palette, alpha]), 0, false).data]).toEqual([
    10, 20, 30, 0, 40, 50, 60, 100, 0, 0, 0, 255, 0, 0, 0, 255,
  ]);
});
