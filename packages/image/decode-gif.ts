import { MAX_PIXELS } from './pixels.ts';
import { type Frames, WebAssemblyDecoder } from './web-assembly-decoder.ts';

const giflib = new WebAssemblyDecoder('GIF', new URL('giflib/giflib.wasm', import.meta.url));

/**
 * Decodes a GIF to RGB frames as TensorFlow composes them: each on top of the one before, whatever that one's disposal, on a canvas as
 * large as the largest frame.
 *
 * @throws {Error} if the file is damaged, or cut off amid a frame, for which TensorFlow shows memory that nothing was written to
 */
export function decodeGif(file: Uint8Array, firstOnly: boolean, maxPixels: number = MAX_PIXELS): Frames {
  return giflib.decode(file, [Number(firstOnly)], maxPixels);
}
