import { decodeJpeg, type JpegSettings } from './decode-jpeg.ts';
import { decodePng } from './decode-png.ts';
import { imageFormat } from './image-format.ts';
import type { Pixels } from './pixels.ts';

/** How a model wants its images: the operation and its attributes. */
export interface Decoding {
  readonly op: string;
  /** 0 for what the file has. */
  readonly channels: number;
  readonly dtype: 'uint8' | 'uint16' | 'float32';
  readonly jpeg: JpegSettings;
}

/** [height, width, channels]; [frames, height, width, channels] where the operation gives frames. */
export interface DecodedImage {
  readonly dtype: 'uint8' | 'uint16' | 'float32';
  readonly shape: readonly number[];
  readonly data: Uint8Array | Uint16Array | Float32Array;
}

/**
 * Decodes an encoded image as TensorFlow does: by what the bytes are, for operations called otherwise too.
 *
 * @throws {Error} if the bytes are no image, a damaged one, or one that the operation does not take
 */
export function decodeImage(file: Uint8Array, decoding: Decoding): DecodedImage {
  const format = imageFormat(file);
  switch (format) {
    case 'JPEG':
      refuseChannels(decoding, format, [0, 1, 3]);
      return asTensor(decodeJpeg(file, decoding.channels, decoding.jpeg), decoding);
    case 'PNG':
      return asTensor(decodePng(file, decoding.channels, decoding.dtype !== 'uint8'), decoding);
    default:
      throw new Error(`${format} is not decoded here`);
  }
}

function refuseChannels({ channels }: Decoding, format: string, known: readonly number[]): void {
  if (!known.includes(channels))
    throw new Error(`${format}: channels must be ${known.join(' or ')}, is ${channels}`);
}

function asTensor(
  { height, width, channels, data }: Pixels<Uint8Array | Uint16Array>,
  { dtype }: Decoding,
): DecodedImage {
  return { dtype, shape: [height, width, channels], data: asNumbers(data, dtype) };
}

/** Wider integers have the upper 8 bits of what has 8; floats are shares of the largest integer, in single precision. */
function asNumbers(data: Uint8Array | Uint16Array, dtype: Decoding['dtype']): DecodedImage['data'] {
  if (dtype === 'float32') {
    const share = Math.fround(1 / (data instanceof Uint8Array ? 255 : 65535));
    return Float32Array.from(data, (sample) => sample * share);
  }
  return dtype === 'uint16' && data instanceof Uint8Array
    ? Uint16Array.from(data, (sample) => sample * 256)
    : data;
}
