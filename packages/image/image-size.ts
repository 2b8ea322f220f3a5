import type { ImageFormat } from './image-format.ts';
import { jpegSize } from './jpeg-size.ts';

/** Sides of an image in pixels, as its header states them. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size in the header of an image, without decoding it; the beginning of the file is enough. Undefined for JPEG XL, which is not read.
 *
 * @throws {Error} if the bytes end before it, or are not of the format
 */
export function imageSize(file: Uint8Array, format: ImageFormat): ImageSize | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  switch (format) {
    case 'JPEG':
      return jpegSize(file);
    case 'PNG': // The signature and the first chunk's length and name have 16 bytes (PNG, third edition, 11.2.1).
      return { width: view.getUint32(16), height: view.getUint32(20) };
    case 'GIF': // Logical screen descriptor, after the signature (GIF89a, 18).
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    case 'BMP':
      return bmpSize(view);
    case 'WebP':
      return webpSize(view);
    case 'JPEG XL':
      return undefined;
  }
}

/** A header of 12 bytes is OS/2's, with short sides; a negative height says that the rows go down. */
function bmpSize(view: DataView): ImageSize {
  return view.getUint32(14, true) === 12
    ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
    : { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

/** Sides of the first chunk: `VP8 ` lossy (RFC 6386, 9.1), `VP8L` lossless and `VP8X` extended (RFC 9649). */
function webpSize(view: DataView): ImageSize {
  switch (String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)))) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const side = (at: number): number => (view.getUint16(at, true) | (view.getUint8(at + 2) << 16)) + 1;
      return { width: side(24), height: side(27) };
    }
    default:
      throw new Error('WebP: no chunk that states a size');
  }
}
