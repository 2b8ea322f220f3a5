import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodePng } from '@inferdrop/image/encode-png';
import { readImage } from '@inferdrop/image/read-image';
import { shrink } from '@inferdrop/image/shrink';
import { lookAt } from '../../../functions/runtime/look-at.ts';
import { areAlike, findNearDuplicate, type Look, toLook } from '../../../src/training/likeness.ts';

const folder = new URL('../../../examples/fashion-mnist/images/', import.meta.url);
const looks = readdirSync(folder)
  .filter((name) => name.endsWith('.png'))
  .slice(0, 300)
  .flatMap((name) => lookAt(readFileSync(new URL(name, folder))) ?? []);

/** Levels of gray as RGB. */
const gray = (...levels: readonly number[]): Float32Array =>
  Float32Array.from(levels.flatMap((level) => [level, level, level]));

describe('a look', () => {
  test('is the same at another brightness and contrast', () => {
    const look = toLook(gray(0, 50, 100, 250))!;
    expect(findNearDuplicate(toLook(gray(30, 40, 50, 80))!, [look])).toBe(0);
    expect(findNearDuplicate(toLook(gray(250, 100, 50, 0))!, [look])).toBeUndefined();
    // Deviations from the average 100: -100, -50, 0, 150, of the length sqrt(35,000).
    expect([...look].map((value) => value * Math.sqrt(35_000))).toEqual([
      expect.closeTo(-100, 3),
      expect.closeTo(-50, 3),
      expect.closeTo(0, 3),
      expect.closeTo(150, 3),
    ]);
  });

  test('of an even image is none, nor that of a damaged one', () => {
    expect(toLook(gray(7, 7, 7, 7))).toBeUndefined();
    expect(lookAt(Buffer.from('\x89PNG\r\n\x1a\n, and no more'))).toBeUndefined();
    const even = { width: 40, height: 40, channels: 3, data: new Uint8Array(4800).fill(9) };
    expect(lookAt(encodePng(even))).toBeUndefined();
  });
});

describe('300 images of Fashion-MNIST', () => {
  test('have no near-duplicate among each other', () => {
    const found = looks.filter(
      (look) =>
        findNearDuplicate(
          look,
          looks.filter((other) => other !== look),
        ) !== undefined,
    );
    expect([looks.length, found.length]).toEqual([300, 0]);
    expect(areAlike(looks)).toBe(false);
  });

  test('are found again at twice their size', () => {
    const name = readdirSync(folder)[0] ?? '';
    const image = readImage(readFileSync(new URL(name, folder)), { atLeast: 28, maxPixels: 1000 });
    const copy = lookAt(encodePng(shrink(image, { width: 56, height: 56 })))!;
    expect(findNearDuplicate(copy, looks)).toBe(0);
  });
});

test('images tell nothing where more than a fifth of them look alike', () => {
  const [first, second, third, fourth, fifth] = looks as [Look, Look, Look, Look, Look];
  const copy = Float32Array.from(first);
  expect(areAlike([first, copy, second, third, fourth, fifth])).toBe(true);
  expect(areAlike([first, copy, ...looks.slice(1, 9)])).toBe(false);
  expect(areAlike([])).toBe(false);
});
