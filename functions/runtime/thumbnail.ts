import { encodePng } from '@inferdrop/image/encode-png';
import { readImage } from '@inferdrop/image/read-image';
import { shrink } from '@inferdrop/image/shrink';

/** Cap on the pixels of an image, for memory and time: a JPEG, which cameras write, may have four times as many. */
const MAX_PIXELS = 2 ** 24;

/**
 * An image as PNG whose longer edge has at most `edge` pixels; a smaller one keeps its size.
 *
 * @throws {Error} in words, if the file cannot be decoded
 */
export function thumbnail(file: Uint8Array, edge: number): Uint8Array {
  const image = readImage(file, { atLeast: edge, maxPixels: MAX_PIXELS });
  const ratio = Math.min(1, edge / Math.max(image.width, image.height));
  const scaled = (side: number): number => Math.max(1, Math.round(side * ratio));
  return encodePng(shrink(image, { width: scaled(image.width), height: scaled(image.height) }));
}
