import sharp from 'sharp';
import { decodePng } from './decode-png.ts';
import { MAX_PIXELS, withChannels, type Pixels } from './pixels.ts';

/** How much of red, green and blue makes grey; libjpeg's, and what TensorFlow tells libpng (which reads it as green). */
const JPEG_GREY = [0.299, 0.587, 0.114] as const;
const PNG_GREY = [0.299, 0.114, 0.587] as const;

// Each worker decodes for itself; a pool of threads behind it would only fight over the cores.
sharp.concurrency(1);

/**
 * Decodes a PNG or JPEG, told apart by their first bytes, as TensorFlow's own decoders do whatever they are called.
 * `channels` 0 keeps what the file has. PNG is decoded at once, JPEG in another thread.
 *
 * @throws {Error} if the bytes are no image, or a damaged one
 */
export function decodeImage(file: Uint8Array, channels: number): Pixels | Promise<Pixels> {
  if (file[0] === 0x89 && file[1] === 0x50 && file[2] === 0x4e && file[3] === 0x47) {
    const pixels = decodePng(file);
    return withChannels(pixels, channels === 0 ? pixels.channels : channels, PNG_GREY);
  }
  if (file[0] === 0xff && file[1] === 0xd8) return decodeJpeg(file, channels);
  throw new Error('Unknown image file format: neither PNG nor JPEG');
}

async function decodeJpeg(file: Uint8Array, channels: number): Promise<Pixels> {
  // What TensorFlow ignores is ignored here: orientation, colour profiles.
  const { data, info } = await sharp(file, {
    failOn: 'truncated',
    limitInputPixels: MAX_PIXELS,
    ignoreIcc: true,
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = { width: info.width, height: info.height, channels: info.channels, data };
  return withChannels(pixels, channels === 0 ? pixels.channels : channels, JPEG_GREY);
}
