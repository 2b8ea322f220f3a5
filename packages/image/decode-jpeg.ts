import { MAX_PIXELS, type Pixels } from './pixels.ts';
import { WebAssemblyDecoder } from './web-assembly-decoder.ts';

/** Choices that `DecodeJpeg` leaves to a model, by its attributes of the same names. */
export interface JpegSettings {
  /** Each side is divided by it: 1, 2, 4 or 8. */
  readonly ratio: number;
  /** `dct_method` INTEGER_ACCURATE; TensorFlow's own choice is INTEGER_FAST. */
  readonly accurate: boolean;
  readonly fancyUpscaling: boolean;
  readonly tryRecoverTruncated: boolean;
  /** Share of the rows below which a damaged file is refused; rows that are missing are black. */
  readonly acceptableFraction: number;
}

/** Settings of every other decoder that meets a JPEG. */
export const DEFAULT_JPEG_SETTINGS: JpegSettings = {
  ratio: 1,
  accurate: false,
  fancyUpscaling: true,
  tryRecoverTruncated: false,
  acceptableFraction: 1,
};

const libjpeg = new WebAssemblyDecoder('JPEG', new URL('libjpeg/libjpeg.wasm', import.meta.url));

/**
 * Decodes a JPEG to exactly TensorFlow's pixels: the same library, with the same settings, which ignore orientation and color
 * profiles. `channels` is 1, 3, or 0 for the file's own number (at most 3).
 *
 * @throws {Error} if the file is damaged or cut off
 */
export function decodeJpeg(
  file: Uint8Array,
  channels: number,
  { ratio, accurate, fancyUpscaling, tryRecoverTruncated, acceptableFraction }: JpegSettings,
  maxPixels: number = MAX_PIXELS,
): Pixels {
  const flags = [accurate, fancyUpscaling, tryRecoverTruncated].map(Number);
  return libjpeg.decode(file, [channels, ratio, ...flags, acceptableFraction], maxPixels);
}
