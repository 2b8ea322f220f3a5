import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeJpeg } from '../encode-jpeg.ts';
import { readImage } from '../read-image.ts';
import { random } from './support/random.ts';

const look = { atLeast: 10_000, maxPixels: 2 ** 24 };

/** A picture with slopes, an edge and grain, as photographs have. */
function picture(width: number, height: number, seed = 1) {
  const next = random(seed);
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const [x, y, channel] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width), at % 3];
    const object = Math.hypot(x - width / 2, y - height / 2) < height / 4 ? 90 * (channel - 1) : 0;
    return Math.max(0, Math.min(255, (200 * x) / width + (40 * y * channel) / height + object + 12 * next()));
  });
  return { width, height, channels: 3, data };
}

const errorOf = (decoded: Uint8Array, original: Uint8Array): number =>
  Math.sqrt(original.reduce((sum, value, at) => sum + (value - decoded[at]!) ** 2, 0) / original.length);

test.each([
  [160, 120],
  [160, 107],
  [61, 33],
  [16, 16],
])(
  'a picture of %i by %i is as near to the original, and as small, as libjpeg-turbo makes it',
  async (w, h) => {
    const original = picture(w, h, w + h);
    const ours = encodeJpeg(original);
    const raw = { raw: { width: w, height: h, channels: 3 as const } };
    const theirs = await sharp(original.data, raw).jpeg({ quality: 75, optimiseCoding: true }).toBuffer();
    const decode = (file: Uint8Array) => sharp(file).raw().toBuffer();
    const error = errorOf(await decode(ours), original.data);
    expect(error).toBeLessThan(1.05 * errorOf(await decode(theirs), original.data));
    expect(ours.length).toBeLessThan(1.1 * theirs.length + 100);
    // The product's own decoder reads it as the peer does.
    const read = readImage(ours, look);
    expect([read.width, read.height]).toEqual([w, h]);
    expect(errorOf(read.data, original.data)).toBeLessThan(1.1 * error);
  },
);

test.each([0, 127, 255])('an even picture of level %i stays even, whatever its size', async (level) => {
  for (const [width, height] of [
    [1, 1],
    [7, 3],
    [17, 33],
    [160, 1],
  ] as const) {
    const data = new Uint8Array(width * height * 3).fill(level);
    const decoded = readImage(encodeJpeg({ width, height, channels: 3, data }), look);
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    expect(decoded.data.every((value) => Math.abs(value - level) <= 1)).toBe(true);
  }
});

test('noise, whose codes are the longest, is read by the peer without a warning', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const next = random(seed);
    const [width, height] = [1 + Math.floor(200 * next()), 1 + Math.floor(200 * next())];
    const data = Uint8Array.from({ length: width * height * 3 }, () =>
      next() < 0.1 ? 255 : 256 * next() ** seed,
    );
    const decoded = await sharp(encodeJpeg({ width, height, channels: 3, data }), { failOn: 'warning' })
      .raw()
      .toBuffer();
    expect(decoded).toHaveLength(data.length);
  }
});
