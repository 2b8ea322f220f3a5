/** IEEE 754 half precision from its sixteen bits. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** The sixteen bits of the nearest half to each number, the even one of two. onnxruntime computes halves in single precision. */
export function toHalves(values: Float32Array): Uint16Array {
  return Uint16Array.from(values, toHalf);
}

function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  // Halfway between the largest half and the next power of two.
  if (size >= 65520) return sign | 0x7c00;
  const exponent = size < 2 ** -14 ? -14 : Math.floor(Math.log2(size));
  // What is rounded up to the next power of two carries into the exponent's bits.
  return sign | (((exponent + 14) << 10) + toEven(size * 2 ** (10 - exponent)));
}

function toEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}
