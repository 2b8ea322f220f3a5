const float = new Float32Array(1);
const floatBits = new Int32Array(float.buffer);
const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);

/** The largest float32 below a float32 t: `x < t` is `x <= floatBelow(t)` for each float32 x. */
export function floatBelow(value: number): number {
  if (value === 0) return -(2 ** -149);
  float[0] = value;
  floatBits[0] = (floatBits[0] ?? 0) + (value > 0 ? -1 : 1);
  return float[0];
}

/** The largest float64 below a float64. */
export function doubleBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  double[0] = value;
  doubleBits[0] = (doubleBits[0] ?? 0n) + (value > 0 ? -1n : 1n);
  return double[0];
}
