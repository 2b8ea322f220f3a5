import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageFormat } from '../image-format.ts';
import { imageSize } from '../image-size.ts';
import type { Pixels } from '../pixels.ts';
import { readImage } from '../read-image.ts';

const fixtures = new URL('./fixtures/', import.meta.url);

function decoded(file: Uint8Array): Pixels | undefined {
  try {
    return readImage(file, { atLeast: 2 ** 15, maxPixels: 2 ** 24 });
  } catch {
    return undefined;
  }
}

test('the header of every fixture states the size that is decoded', () => {
  let compared = 0;
  for (const name of readdirSync(fixtures)) {
    const file = readFileSync(new URL(name, fixtures));
    const image = decoded(file);
    if (image === undefined) continue;
    compared += 1;
    const { width, height } = image;
    expect([name, imageSize(file, imageFormat(file))]).toMatchObject([name, { width, height }]);
  }
  expect(compared).toBeGreaterThan(12);
});

const image = sharp({
  create: { width: 300, height: 70, channels: 4, background: { r: 9, g: 80, b: 7, alpha: 0.4 } },
});

test.each([
  ['lossy WebP', image.clone().removeAlpha().webp()],
  ['lossless WebP', image.clone().webp({ lossless: true })],
  ['extended WebP', image.clone().webp()],
  ['progressive JPEG', image.clone().removeAlpha().jpeg({ progressive: true })],
  ['PNG', image.clone().png()],
  ['GIF', image.clone().gif()],
])('%s: its first 64 KiB are enough, and too few bytes are refused', async (_, written) => {
  const file = await written.toBuffer();
  const format = imageFormat(file);
  expect(imageSize(file.subarray(0, 65_536), format)).toMatchObject({ width: 300, height: 70 });
  expect(() => imageSize(file.subarray(0, 7), format)).toThrow();
});
