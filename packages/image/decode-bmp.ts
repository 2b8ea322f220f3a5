import { MAX_PIXELS, type Pixels } from './pixels.ts';

/** Offset of the pixels, width, height and bits a pixel lie in the first 32 bytes. */
const HEADER_BYTES = 32;

/**
 * Decodes a BMP as TensorFlow does. It reads only four numbers of the header: palette indices become gray levels, and masks are
 * ignored. A negative height means rows from top to bottom. `channels` is 3, 4, or 0 for the file's own number.
 *
 * @throws {Error} if the file doesn't have as many bytes as it says, or is compressed to another number
 */
export function decodeBmp(file: Uint8Array, channels: number, maxPixels: number = MAX_PIXELS): Pixels {
  if (file.length < HEADER_BYTES) throw new Error(`BMP: cut off, ${file.length} bytes`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const offset = view.getInt32(10, true);
  const width = view.getInt32(18, true);
  const height = Math.abs(view.getInt32(22, true));
  const bits = view.getInt16(28, true);
  const depth = Math.trunc(bits / 8);
  if (![1, 3, 4].includes(depth)) throw new Error(`BMP: ${bits} bits a pixel, known are 8, 24 and 32`);
  if (width <= 0 || height === 0 || offset < 0 || width * height > maxPixels)
    throw new Error(`BMP: ${width}x${height} pixels at byte ${offset}`);
  const stride = Math.ceil((depth * width) / 4) * 4;
  const expected = offset + stride * height;
  if (file.length !== expected) throw new Error(`BMP: ${expected} bytes expected, ${file.length} found`);
  const wanted = channels === 0 ? depth : channels;
  const data = new Uint8Array(width * height * wanted).fill(255);
  const topDown = isTopDown(file);
  for (let y = 0; y < height; y++) {
    const row = offset + stride * (topDown ? y : height - 1 - y);
    for (let x = 0; x < width; x++) {
      const source = row + x * depth;
      const target = (y * width + x) * wanted;
      // Blue comes first.
      for (let channel = 0; channel < Math.min(wanted, 3); channel++)
        data[target + channel] = file[depth === 1 ? source : source + 2 - channel] ?? 0;
      if (wanted === 4 && depth === 4) data[target + 3] = file[source + 3] ?? 0;
    }
  }
  return { width, height, channels: wanted, data };
}

/** Whether the height is negative. */
export function isTopDown(file: Uint8Array): boolean {
  return (file[25] ?? 0) >= 128;
}
