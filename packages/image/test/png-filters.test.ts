import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePng } from '../decode-png.ts';

const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 } as const;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** What a row's filter subtracts from each byte, as the specification defines it (9.2). */
function predict(filter: number, left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value));
  const paeth = toLeft! <= toUp! && toLeft! <= toCorner! ? left : toUp! <= toCorner! ? up : corner;
  return [0, left, up, Math.floor((left + up) / 2), paeth][filter]!;
}

function encode(pixels: Uint8Array, width: number, color: keyof typeof CHANNELS, filters: readonly number[]) {
  const step = CHANNELS[color];
  const stride = width * step;
  const rows = filters.map((filter, row) => {
    const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : pixels[y * stride + x]!);
    const bytes = Array.from({ length: stride }, (_, x) => {
      const corner = x < step ? 0 : at(x - step, row - 1);
      return at(x, row) - predict(filter, at(x - step, row), at(x, row - 1), corner);
    });
    return Buffer.from([filter, ...bytes]);
  });
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, filters.length, 8, color, 0, 0, 0]);
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', data.subarray(0, data.length / 2)),
    chunk('IDAT', data.subarray(data.length / 2)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const images = fc
  .record({
    width: fc.integer({ min: 1, max: 9 }),
    color: fc.constantFrom<keyof typeof CHANNELS>(0, 2, 4, 6),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 }),
  })
  .chain((image) => {
    const length = image.width * CHANNELS[image.color] * image.filters.length;
    return fc.record({
      ...Object.fromEntries(Object.entries(image).map(([name, value]) => [name, fc.constant(value)])),
      pixels: fc.uint8Array({ minLength: length, maxLength: length }),
    }) as fc.Arbitrary<typeof image & { readonly pixels: Uint8Array }>;
  });

test('every filter in every row and color type gives the pixels back', () => {
  fc.assert(
    fc.property(images, ({ pixels, width, color, filters }) => {
      const decoded = decodePng(encode(pixels, width, color, filters), 0, false);
      expect(Buffer.from(decoded.data)).toEqual(Buffer.from(pixels));
    }),
  );
});
