/** File formats that TensorFlow 2.21 distinguishes by their first bytes, whatever format the operation is named for. */
export type ImageFormat = 'JPEG' | 'PNG' | 'GIF' | 'BMP' | 'WebP' | 'JPEG XL';

const SIGNATURES: readonly (readonly [ImageFormat, string])[] = [
  ['JPEG', 'ffd8ff'],
  ['PNG', '89504e470d0a1a0a'],
  ['GIF', '47494638'],
  ['BMP', '424d'],
  ['JPEG XL', 'ff0a'],
  ['JPEG XL', '0000000c4a584c200d0a870a'],
];

/** @throws {Error} if no signature fits */
export function imageFormat(file: Uint8Array): ImageFormat {
  const start = Buffer.from(file.subarray(0, 13));
  // RIFF, four bytes of its size, WEBP, and something more.
  if (
    start.length === 13 &&
    start.toString('latin1', 0, 4) === 'RIFF' &&
    start.toString('latin1', 8, 12) === 'WEBP'
  )
    return 'WebP';
  const digits = start.toString('hex');
  for (const [format, signature] of SIGNATURES) if (digits.startsWith(signature)) return format;
  throw new Error('Unknown image file format: none of JPEG, PNG, GIF, BMP and WebP');
}
