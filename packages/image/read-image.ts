import { decodeBmp } from './decode-bmp.ts';
import { decodeGif } from './decode-gif.ts';
import { decodeJpeg, DEFAULT_JPEG_SETTINGS } from './decode-jpeg.ts';
import { decodePng } from './decode-png.ts';
import { decodeWebp } from './decode-webp.ts';
import { imageFormat } from './image-format.ts';
import { jpegSize } from './jpeg-size.ts';
import type { Pixels } from './pixels.ts';
import { withoutAlpha } from './png-channels.ts';

/** Sides to which a JPEG can be decoded, as shares of its own: one of eight costs a fifth of the time of the whole. */
const RATIOS = [8, 4, 2] as const;
/** Cap on the pixels of a JPEG as a multiple of the caller's, as it is never held whole. */
const JPEG_SHARE = 4;

/**
 * Reads an image of any format for a look at it, not for a model: as RGB, without its transparency, the first of its
 * frames, and upright only if its pixels are (Exif's orientation is not read). A JPEG is decoded at a half, a quarter
 * or an eighth of its sides, as long as both keep `atLeast` pixels.
 *
 * `maxPixels` bounds memory, to about 30 bytes a pixel in the worst case (a PNG of 16 bits with alpha), and time, to about a second for
 * 16 million; a JPEG may have four times as many.
 *
 * @throws {Error} if the bytes are not an image, or a damaged one, or a larger one
 */
export function readImage(
  file: Uint8Array,
  { atLeast, maxPixels }: { readonly atLeast: number; readonly maxPixels: number },
): Pixels {
  const format = imageFormat(file);
  switch (format) {
    case 'JPEG': {
      const { width, height } = jpegSize(file);
      if (width * height > JPEG_SHARE * maxPixels)
        throw new Error(`JPEG: ${width}x${height} pixels are too many`);
      const ratio = RATIOS.find((one) => Math.min(width, height) >= one * atLeast) ?? 1;
      return decodeJpeg(file, 3, { ...DEFAULT_JPEG_SETTINGS, ratio }, JPEG_SHARE * maxPixels);
    }
    case 'PNG': {
      const { data, ...size } = decodePng(file, 3, false, maxPixels);
      return { ...size, data: Uint8Array.from(data) };
    }
    case 'GIF':
      return decodeGif(file, true, maxPixels);
    case 'BMP':
      return decodeBmp(file, 3, maxPixels);
    case 'WebP':
      return withoutAlpha(decodeWebp(file, 0, true, maxPixels));
    case 'JPEG XL':
      throw new Error('JPEG XL is not decoded');
  }
}
