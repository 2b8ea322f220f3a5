import { decodeBmp, isTopDown } from '@inferdrop/image/internal/decode-bmp';
import { decodeGif } from '@inferdrop/image/internal/decode-gif';
import { decodeJpeg, type JpegSettings } from '@inferdrop/image/internal/decode-jpeg';
import { decodePng } from '@inferdrop/image/internal/decode-png';
import { decodeWebp } from '@inferdrop/image/internal/decode-webp';
import { type ImageFormat, imageFormat } from '@inferdrop/image/internal/image-format';
import type { Pixels } from '@inferdrop/image/internal/pixels';

/** How a model wants its images: the operation and its attributes. */
export interface Decoding {
  readonly op: string;
  /** 0 keeps the file's own channels. */
  readonly channels: number;
  readonly dtype: 'uint8' | 'uint16' | 'float32';
  /** Frames become an axis of their own; otherwise the first one is the image. */
  readonly expandAnimations: boolean;
  readonly jpeg: JpegSettings;
}

/** [height, width, channels], or [frames, height, width, channels] where TensorFlow gives frames. */
export interface DecodedImage {
  readonly dtype: 'uint8' | 'uint16' | 'float32';
  readonly shape: readonly number[];
  readonly data: Uint8Array | Uint16Array | Float32Array;
}

/**
 * Decodes an encoded image as TensorFlow does: by its first bytes, whatever format the operation is named for.
 *
 * @throws {Error} if the bytes are not an image, or a damaged one, or one that the operation does not take
 */
export function decodeImage(file: Uint8Array, decoding: Decoding): DecodedImage {
  const format = imageFormat(file);
  const { op, channels, dtype, expandAnimations } = decoding;
  // An operation for frames gives one frame of an image.
  const still = op === 'DecodeGif' ? [1] : [];
  switch (format) {
    case 'JPEG':
      refuseOperation(decoding, format, ['DecodeBmp']);
      refuseChannels(decoding, format, [0, 1, 3]);
      return asTensor(still, decodeJpeg(file, channels, decoding.jpeg), dtype);
    case 'PNG':
      refuseOperation(decoding, format, ['DecodeBmp']);
      return asTensor(still, decodePng(file, channels, dtype !== 'uint8'), dtype);
    case 'GIF':
      refuseOperation(decoding, format, ['DecodeBmp', 'DecodeWebP']);
      refuseChannels(decoding, format, [0, 3]);
      return gifTensor(file, decoding);
    case 'BMP':
      refuseOperation(decoding, format, ['DecodePng', 'DecodeJpeg', 'DecodeGif', 'DecodeWebP']);
      refuseChannels(decoding, format, [0, 3, 4]);
      if (isTopDown(file) && dtype !== 'uint8')
        throw new Error(`BMP: rows from top to bottom, which TensorFlow does not decode to ${dtype}`);
      return asTensor([], decodeBmp(file, channels), dtype);
    case 'WebP': {
      refuseChannels(decoding, format, [0, 3, 4]);
      if (dtype !== 'uint8') throw new Error(`WebP: is decoded to uint8, not ${dtype}`);
      const decoded = decodeWebp(file, channels, !expandAnimations);
      return asTensor(expandAnimations ? [Math.max(decoded.frames, 1)] : [], decoded, dtype);
    }
    case 'JPEG XL':
      throw new Error('JPEG XL is not decoded here: use --engine python');
  }
}

function gifTensor(file: Uint8Array, { op, dtype, expandAnimations }: Decoding): DecodedImage {
  const decoded = decodeGif(file, !expandAnimations);
  if (op !== 'DecodePng' && op !== 'DecodeJpeg')
    return asTensor(expandAnimations ? [decoded.frames] : [], decoded, dtype);
  if (decoded.frames > 1) throw new Error(`GIF: ${decoded.frames} frames`);
  return asTensor([], decoded, dtype);
}

function refuseOperation({ op }: Decoding, format: ImageFormat, refused: readonly string[]): void {
  if (refused.includes(op)) throw new Error(`${format}: is not decoded by ${op}`);
}

function refuseChannels({ channels }: Decoding, format: ImageFormat, known: readonly number[]): void {
  if (!known.includes(channels))
    throw new Error(`${format}: channels must be ${known.join(' or ')}, is ${channels}`);
}

function asTensor(
  frames: readonly number[],
  { height, width, channels, data }: Pixels<Uint8Array | Uint16Array>,
  dtype: Decoding['dtype'],
): DecodedImage {
  return { dtype, shape: [...frames, height, width, channels], data: asNumbers(data, dtype) };
}

/** Wider integers take 8-bit values as their upper 8 bits; floats are shares of the largest integer, in single precision. */
function asNumbers(data: Uint8Array | Uint16Array, dtype: Decoding['dtype']): DecodedImage['data'] {
  if (dtype === 'float32') {
    const share = Math.fround(1 / (data instanceof Uint8Array ? 255 : 65535));
    return Float32Array.from(data, (sample) => sample * share);
  }
  return dtype === 'uint16' && data instanceof Uint8Array
    ? Uint16Array.from(data, (sample) => sample * 256)
    : data;
}
