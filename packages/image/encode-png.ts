import { PNG } from 'pngjs';
import type { Pixels } from './pixels.ts';

/** Writes an RGB image as PNG. */
export function encodePng({ width, height, data }: Pixels): Uint8Array {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data);
  return PNG.sync.write(png, { colorType: 2, inputColorType: 2, inputHasAlpha: false, deflateLevel: 9 });
}
