import { readImage } from '@inferdrop/image/read-image';
import { averageAreas } from '@inferdrop/image/shrink';
import { type Look, LOOK_SIDE, toLook } from '../../src/training/likeness.ts';

/** Cap on the pixels of an image, for memory and time: a JPEG, which cameras write, may have four times as many. */
const MAX_PIXELS = 2 ** 24;

/** The look of an image; undefined for a file that cannot be decoded, or a uniform image. */
export function lookAt(file: Uint8Array): Look | undefined {
  try {
    const image = readImage(file, { atLeast: 2 * LOOK_SIDE, maxPixels: MAX_PIXELS });
    return toLook(averageAreas(image, { width: LOOK_SIDE, height: LOOK_SIDE }));
  } catch {
    // A damaged file, or one of another kind: the report tells how many were looked at.
    return undefined;
  }
}
