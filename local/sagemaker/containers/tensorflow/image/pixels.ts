/** A decoded image: rows from top to bottom, channels interleaved, 8 bits each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey with alpha, 3 RGB, 4 RGB with alpha. */
  readonly channels: number;
  readonly data: Uint8Array;
  /** Alpha of a pixel that has none, when alpha is asked for. */
  readonly opaque: number;
}

/** Turns one pixel's colours into grey. */
export type ToGrey = (red: number, green: number, blue: number) => number;

/** Larger images are refused before memory is asked for them. */
export const MAX_PIXELS = 2 ** 27;

/**
 * The image with another number of channels, converted as TensorFlow converts while it decodes.
 * Alpha is dropped, or added as opaque.
 */
export function withChannels(pixels: Pixels, channels: number, toGrey: ToGrey): Pixels {
  if (channels === pixels.channels) return pixels;
  const count = pixels.width * pixels.height;
  const data = new Uint8Array(count * channels);
  const from = pixels.channels;
  const source = pixels.data;
  for (let pixel = 0; pixel < count; pixel++) {
    const start = pixel * from;
    const first = source[start] ?? 0;
    const target = pixel * channels;
    const second = from > 2 ? (source[start + 1] ?? 0) : first;
    const third = from > 2 ? (source[start + 2] ?? 0) : first;
    if (channels < 3) data[target] = from < 3 ? first : toGrey(first, second, third);
    else {
      data[target] = first;
      data[target + 1] = second;
      data[target + 2] = third;
    }
    if (channels % 2 === 0)
      data[target + channels - 1] = from % 2 === 0 ? (source[start + from - 1] ?? 0) : pixels.opaque;
  }
  return { ...pixels, channels, data };
}
