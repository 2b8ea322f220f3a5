import sharp from 'sharp';
import { decodePng } from './decode-png.ts';
import { MAX_PIXELS, withChannels, type Pixels, type ToGrey } from './pixels.ts';

/** libpng's fixed-point sum, for the shares that TensorFlow gives it. */
const greyOfPng: ToGrey = (red, green, blue) => (9797 * red + 19234 * green + 3737 * blue) >> 15;

/** libjpeg keeps the file's own luminance; from colours it can be had to one level. */
const greyOfJpeg: ToGrey = (red, green, blue) => Math.floor(0.299 * red + 0.587 * green + 0.114 * blue + 0.5);

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
    return withChannels(pixels, channels === 0 ? pixels.channels : channels, greyOfPng);
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
  const pixels = { width: info.width, height: info.height, channels: info.channels, data, opaque: 255 };
  return withChannels(pixels, channels === 0 ? jpegChannels(file) : channels, greyOfJpeg);
}

/** 1 or 3, from the frame header (SOF); sharp gives three channels for grey too. */
function jpegChannels(file: Uint8Array): number {
  let position = 2;
  while (position + 9 < file.length) {
    const marker = file[position + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return file[position + 9] === 1 ? 1 : 3;
    position += 2 + (file[position + 2] ?? 0) * 256 + (file[position + 3] ?? 0);
  }
  throw new Error('JPEG: no frame header');
}
