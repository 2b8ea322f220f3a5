import { encodePng } from '@inferdrop/image/encode-png';
import { encodeJpeg } from '@inferdrop/image/internal/encode-jpeg';
import { readImage } from '@inferdrop/image/read-image';
import { shrink } from '@inferdrop/image/shrink';
import type { Thumbnail } from '../../src/app/report/gallery-images.ts';

/** Cap on the pixels of an image, for memory and time: a JPEG, which cameras write, may have four times as many. */
const MAX_PIXELS = 2 ** 24;

/**
 * An image with at most `edge` pixels on its longer edge, as PNG or JPEG, whichever is smaller: photographs are a tenth as JPEG,
 * drawings with few colors are smaller and sharper as PNG. A smaller image keeps its size.
 *
 * @throws {Error} in words, if the file cannot be decoded
 */
export function thumbnail(file: Uint8Array, edge: number): Thumbnail {
  const image = readImage(file, { atLeast: edge, maxPixels: MAX_PIXELS });
  const ratio = Math.min(1, edge / Math.max(image.width, image.height));
  const scaled = (side: number): number => Math.max(1, Math.round(side * ratio));
  const small = shrink(image, { width: scaled(image.width), height: scaled(image.height) });
  const [png, jpeg] = [encodePng(small), encodeJpeg(small)];
  return png.length <= jpeg.length ? { type: 'image/png', bytes: png } : { type: 'image/jpeg', bytes: jpeg };
}
