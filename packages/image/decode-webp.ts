import { MAX_PIXELS } from './pixels.ts';
import { type Frames, WebAssemblyDecoder } from './web-assembly-decoder.ts';

const libwebp = new WebAssemblyDecoder('WebP', new URL('libwebp/libwebp.wasm', import.meta.url));

/**
 * Decodes a WebP to RGB, to RGBA where it has transparency or is an animation. `channels` is 0, or what the file has.
 *
 * @throws {Error} if the file is damaged or cut off, or has other channels
 */
export function decodeWebp(
  file: Uint8Array,
  channels: number,
  firstOnly: boolean,
  maxPixels: number = MAX_PIXELS,
): Frames {
  return libwebp.decode(file, [channels, Number(firstOnly)], maxPixels);
}
