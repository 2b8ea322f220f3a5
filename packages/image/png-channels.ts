import type { Pixels } from './pixels.ts';
import type { Gamma } from './png-gamma.ts';

function mixed(red: number, green: number, blue: number, half: number): number {
  return (9797 * red + 19234 * green + 3737 * blue + half) >>> 15;
}

/**
 * The image with another number of channels, converted as libpng does it with TensorFlow's color weights: in fixed point (rounded
 * only for 16 bits), or in linear light if an 8-bit file has a gamma. Alpha is dropped, or added as `opaque`.
 */
export function withChannels<Samples extends Uint8Array | Uint16Array>(
  pixels: Pixels<Samples>,
  channels: number,
  opaque: number,
  empty: (length: number) => Samples,
  gamma?: Gamma,
): Pixels<Samples> {
  if (channels === pixels.channels) return pixels;
  const count = pixels.width * pixels.height;
  const data = empty(count * channels);
  const from = pixels.channels;
  const source = pixels.data;
  const half = data.BYTES_PER_ELEMENT === 2 ? 2 ** 14 : 0;
  const gray = (red: number, green: number, blue: number): number => {
    if (gamma === undefined) return mixed(red, green, blue, half);
    if (red === green && red === blue) return red;
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((level) => gamma.toLight[level]);
    return gamma.fromLight[mixed(r, g, b, 2 ** 14)] ?? 0;
  };
  for (let pixel = 0; pixel < count; pixel++) {
    const start = pixel * from;
    const first = source[start] ?? 0;
    const target = pixel * channels;
    const second = from > 2 ? (source[start + 1] ?? 0) : first;
    const third = from > 2 ? (source[start + 2] ?? 0) : first;
    if (channels < 3) data[target] = from < 3 ? first : gray(first, second, third);
    else {
      data[target] = first;
      data[target + 1] = second;
      data[target + 2] = third;
    }
    if (channels % 2 === 0)
      data[target + channels - 1] = from % 2 === 0 ? (source[start + from - 1] ?? 0) : opaque;
  }
  return { ...pixels, channels, data };
}

/** The image with alpha: 0 where a pixel has the color `key`, otherwise `opaque`. Without a key it stays as it is. */
export function withKey<Samples extends Uint8Array | Uint16Array>(
  pixels: Pixels<Samples>,
  key: readonly number[] | undefined,
  opaque: number,
  empty: (length: number) => Samples,
): Pixels<Samples> {
  if (key === undefined) return pixels;
  const from = pixels.channels;
  const count = pixels.width * pixels.height;
  const data = empty(count * (from + 1));
  for (let pixel = 0; pixel < count; pixel++) {
    const samples = pixels.data.subarray(pixel * from, (pixel + 1) * from);
    data.set(samples, pixel * (from + 1));
    const isKey = key.every((sample, channel) => samples[channel] === sample);
    data[pixel * (from + 1) + from] = isKey ? 0 : opaque;
  }
  return { ...pixels, channels: from + 1, data };
}

/** The colors of an image in RGB or RGB with alpha; alpha is dropped, not blended. */
export function withoutAlpha(pixels: Pixels): Pixels {
  return withChannels(pixels, 3, 255, (length) => new Uint8Array(length));
}
