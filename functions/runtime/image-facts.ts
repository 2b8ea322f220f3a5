import { type ImageFormat, imageFormat } from '@inferdrop/image/internal/image-format';
import { type ImageSize, imageSize } from '@inferdrop/image/internal/image-size';
import { readImage } from '@inferdrop/image/read-image';
import type { ImageFacts } from '../../src/slice/slice-values.ts';

/** Cap on the pixels of an image, for memory and time: a JPEG, which cameras write, may have four times as many. */
const MAX_PIXELS = 2 ** 24;
/** Pixels that the shorter side of a JPEG keeps. It's decoded at that size, since its mean is the same as the whole's. */
const SIDE = 64;
/** Weights of luma, ITU-R BT.601. */
const [RED, GREEN, BLUE] = [0.299, 0.587, 0.114];

/**
 * Reads the facts that a file, or the beginning of it, shows of its image; undefined if it's no image.
 *
 * @param decodes whether brightness is measured, which takes the whole file
 */
export function imageFacts(file: Uint8Array, decodes: boolean): ImageFacts | undefined {
  const format = unlessDamaged<ImageFormat>(() => imageFormat(file));
  if (format === undefined) return undefined;
  const size = unlessDamaged<ImageSize | undefined>(() => imageSize(file, format));
  const brightness = decodes ? unlessDamaged(() => meanLuma(file)) : undefined;
  return { format, ...size, brightness };
}

function meanLuma(file: Uint8Array): number {
  const { width, height, data } = readImage(file, { atLeast: SIDE, maxPixels: MAX_PIXELS });
  let [red, green, blue] = [0, 0, 0];
  for (let at = 0; at + 2 < data.length; at += 3) {
    red += data[at] ?? 0;
    green += data[at + 1] ?? 0;
    blue += data[at + 2] ?? 0;
  }
  return (RED * red + GREEN * green + BLUE * blue) / (width * height);
}

/** Leaves out what cannot be read of a damaged file; the report counts such inputs. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
