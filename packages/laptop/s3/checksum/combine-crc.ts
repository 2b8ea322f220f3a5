import { POLYNOMIALS } from './crc.ts';

type CrcAlgorithm = keyof typeof POLYNOMIALS;

/**
 * The CRC of two stretches of data one after the other, from the CRC of each and the length of the second: how S3 knows the checksum
 * of a whole multipart object without reading it again. (Appending n bytes multiplies by x^8n modulo the polynomial.)
 */
export function combineCrc(
  algorithm: CrcAlgorithm,
  first: string,
  second: string,
  secondSizeBytes: number,
): string {
  const width = algorithm === 'CRC64NVME' ? 64 : 32;
  const polynomial = POLYNOMIALS[algorithm];
  const shift = powerOfX(BigInt(secondSizeBytes) * 8n, width, polynomial);
  const value = multiply(shift, fromBase64(first), width, polynomial) ^ fromBase64(second);
  return Buffer.from(value.toString(16).padStart(width / 4, '0'), 'hex').toString('base64');
}

/** Product of two polynomials modulo the third, coefficients reflected: the highest bit is x^0. */
function multiply(a: bigint, b: bigint, width: number, polynomial: bigint): bigint {
  let product = 0n;
  let factor = b;
  for (let bit = 1n << BigInt(width - 1); bit > 0n; bit >>= 1n) {
    if (a & bit) product ^= factor;
    factor = factor & 1n ? (factor >> 1n) ^ polynomial : factor >> 1n;
  }
  return product;
}

function powerOfX(exponent: bigint, width: number, polynomial: bigint): bigint {
  let result = 1n << BigInt(width - 1);
  let square = 1n << BigInt(width - 2);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = multiply(square, result, width, polynomial);
    square = multiply(square, square, width, polynomial);
  }
  return result;
}

function fromBase64(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, 'base64').toString('hex')}`);
}
