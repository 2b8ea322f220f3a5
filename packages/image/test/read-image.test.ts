import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePng } from '../encode-png.ts';
import type { Pixels } from '../pixels.ts';
import { readImage } from '../read-image.ts';
import { averageAreas, shrink } from '../shrink.ts';

const fixtures = new URL('./fixtures/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(name, fixtures));
const look = { atLeast: 16, maxPixels: 2 ** 20 };

/** 1 row of RGB pixels. */
const row = (...levels: readonly number[]): Pixels => ({
  width: levels.length,
  height: 1,
  channels: 3,
  data: Uint8Array.from(levels.flatMap((level) => [level, level, level])),
});

describe('reading', () => {
  test('every fixture is RGB, or refused in words', () => {
    for (const name of readdirSync(fixtures)) {
      try {
        const { width, height, channels, data } = readImage(fixture(name), look);
        expect([name, channels, data.length]).toEqual([name, 3, width * height * 3]);
      } catch (error) {
        expect(String(error)).toMatch(/^Error: (JPEG|PNG|GIF|BMP|WebP|JPEG XL|Unknown image)/);
      }
    }
  });

  test('a JPEG is decoded at the smallest size that keeps what is asked for', () => {
    const sizeAt = (atLeast: number): number[] => {
      const { width, height } = readImage(fixture('photo.jpg'), { ...look, atLeast });
      return [width, height];
    };
    // It has 64x48 pixels.
    expect([sizeAt(49), sizeAt(24), sizeAt(12), sizeAt(6), sizeAt(1)]).toEqual([
      [64, 48],
      [32, 24],
      [16, 12],
      [8, 6],
      [8, 6],
    ]);
  });

  test.each(['photo.jpg', 'rgb.png'])('%s with more pixels than its cap is refused', (name) => {
    expect(() => readImage(fixture(name), { atLeast: 16, maxPixels: 100 })).toThrow(/^(JPEG|PNG): /);
  });

  test('a file that is cut off before its size is refused', () => {
    expect(() => readImage(fixture('photo.jpg').subarray(0, 20), look)).toThrow('JPEG: cut off');
    expect(() => readImage(Buffer.from('no image'), look)).toThrow('Unknown image file format');
  });
});

describe('shrinking', () => {
  test('averages what an area covers, in shares at its edges', () => {
    expect(shrink(row(10, 20, 30, 40), { width: 2, height: 1 })).toEqual(row(15, 35));
    // Each area covers one pixel and a half.
    expect(shrink(row(0, 90, 180), { width: 2, height: 1 })).toEqual(row(30, 150));
    expect(shrink(row(10, 20), { width: 4, height: 1 })).toEqual(row(10, 10, 20, 20));
  });

  test('keeps the average, and an even image as it is', () => {
    const size = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(size, size, size, size, fc.infiniteStream(fc.nat(255)), (width, height, w, h, levels) => {
        const data = Uint8Array.from(levels.take(width * height * 3));
        const average = (values: Iterable<number>): number => {
          const all = [...values];
          return all.reduce((sum, value) => sum + value, 0) / all.length;
        };
        const shrunk = averageAreas({ width, height, channels: 3, data }, { width: w, height: h });
        expect(average(shrunk)).toBeCloseTo(average(data), 2);
        const even = { width, height, channels: 3, data: data.fill(data[0] ?? 0) };
        expect(new Set(shrink(even, { width: w, height: h }).data)).toEqual(new Set([data[0]]));
      }),
    );
  });
});

test('a PNG that was written is read as it was', () => {
  const image = row(0, 128, 255);
  expect(readImage(encodePng(image), look)).toEqual(image);
});
