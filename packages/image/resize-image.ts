import type { Pixels } from './pixels.ts';

/** Fraction bits of a weight: 32 less 8 of a sample and 2 for the sum of overshooting weights. */
const BITS = 22;

/** Filters: how far they reach, and their height at a distance. */
const FILTERS = {
  bilinear: { reach: 1, height: (x: number): number => Math.max(0, 1 - x) },
  bicubic: {
    reach: 2,
    height: (x: number): number =>
      x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((x - 5) * x + 8) * x * -0.5 + 2 : 0,
  },
} as const;
/** One of them. */
export type Resample = keyof typeof FILTERS;

/**
 * The image at another size as Pillow's `Image.resize(size, BILINEAR)` or `BICUBIC` gives it, bit for bit: a filter over
 * the pixels that a new one covers, first along the rows, then along the columns, with weights in fixed point and
 * samples of 8 bits in between. torchvision's transforms of Pillow images are these.
 */
export function resizeImage(
  pixels: Pixels,
  to: { readonly width: number; readonly height: number },
  resample: Resample,
): Pixels {
  const wide = to.width === pixels.width ? pixels : resizeRows(pixels, to.width, resample);
  return to.height === wide.height ? wide : transposed(resizeRows(transposed(wide), to.height, resample));
}

function resizeRows({ width, height, channels, data }: Pixels, newWidth: number, resample: Resample): Pixels {
  const out = new Uint8Array(newWidth * height * channels);
  const columns = weightsOf(width, newWidth, resample);
  for (let y = 0; y < height; y++) {
    for (const [x, { start, weights }] of columns.entries()) {
      for (let channel = 0; channel < channels; channel++) {
        let sum = 2 ** (BITS - 1);
        let at = (y * width + start) * channels + channel;
        for (const weight of weights) {
          sum += (data[at] ?? 0) * weight;
          at += channels;
        }
        out[(y * newWidth + x) * channels + channel] = Math.min(
          255,
          Math.max(0, Math.floor(sum / 2 ** BITS)),
        );
      }
    }
  }
  return { width: newWidth, height, channels, data: out };
}

/** First pixel and weights of each new pixel. */
function weightsOf(
  length: number,
  newLength: number,
  resample: Resample,
): { readonly start: number; readonly weights: Int32Array }[] {
  const { reach: own, height } = FILTERS[resample];
  const scale = length / newLength;
  const stretch = Math.max(1, scale);
  const reach = own * stretch;
  return Array.from({ length: newLength }, (_, index) => {
    const center = (index + 0.5) * scale;
    const start = Math.max(0, Math.trunc(center - reach + 0.5));
    const end = Math.min(length, Math.trunc(center + reach + 0.5));
    const shares = Array.from({ length: end - start }, (_, at) =>
      height(Math.abs((at + start - center + 0.5) * (1 / stretch))),
    );
    const total = shares.reduce((sum, share) => sum + share, 0);
    return {
      start,
      weights: Int32Array.from(shares, (share) => {
        const weight = share * (1 / total) * 2 ** BITS;
        return Math.trunc(weight < 0 ? weight - 0.5 : weight + 0.5);
      }),
    };
  });
}

function transposed({ width, height, channels, data }: Pixels): Pixels {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++)
        out[(x * height + y) * channels + channel] = data[(y * width + x) * channels + channel] ?? 0;
  return { width: height, height: width, channels, data: out };
}
