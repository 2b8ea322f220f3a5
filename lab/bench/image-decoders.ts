/**
 * JPEGs a second on one thread: this stack's decoder beside sharp, whose pixels are not TensorFlow's, on the same files.
 *
 *     node lab/bench/image-decoders.ts [--seconds 3]
 */
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { decodeJpeg, DEFAULT_JPEG_SETTINGS } from '@inferdrop/image/decode-jpeg';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
const seconds = Number(values.seconds);
sharp.concurrency(1);

/** A smooth pattern with grain, as a photograph has, from a generator with a fixed seed. */
function photo(width: number, height: number): Promise<Buffer> {
  let state = 7;
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const pixel = Math.floor(at / 3);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    pixels[at] = 128 + 90 * Math.sin((x + 40 * (at % 3)) / 23) * Math.cos(y / 31) + (state >>> 27);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}

async function perSecond(decode: () => unknown): Promise<number> {
  for (let round = 0; round < 20; round++) await decode();
  const start = process.cpuUsage();
  const until = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < until; count++) await decode();
  const { user, system } = process.cpuUsage(start);
  return (count / (user + system)) * 1e6;
}

for (const [width, height] of [
  [32, 32],
  [224, 224],
  [500, 375],
  [1920, 1080],
] as const) {
  const file = await photo(width, height);
  const ours = await perSecond(() => decodeJpeg(file, 3, DEFAULT_JPEG_SETTINGS));
  const accurate = await perSecond(() => decodeJpeg(file, 3, { ...DEFAULT_JPEG_SETTINGS, accurate: true }));
  const theirs = await perSecond(() => sharp(file).raw().toBuffer());
  const megabytes = (rate: number): string =>
    `${rate.toFixed(0)}/s, ${((rate * width * height * 3) / 1e6).toFixed(0)} MB/s`;
  console.log(
    `${width}x${height}: fast ${megabytes(ours)}; accurate ${megabytes(accurate)}; sharp ${megabytes(theirs)}`,
  );
}
