/** Lanczos' coefficients for g = 7 and nine terms (Godfrey 2001), good for about 15 digits. */
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];
const LANCZOS_START = 0.9999999999998099;
/** Half the logarithm of 2π, the constant of Stirling’s formula. */
export const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);
/** From here on three terms of Stirling's series are exact to a double. */
const LARGE = 1e4;

/** Natural logarithm of the gamma function of x > 0. */
export function logGamma(x: number): number {
  if (x > LARGE) return (x - 0.5) * Math.log(x) - x + HALF_LOG_TAU + 1 / (12 * x) - 1 / (360 * x ** 3);
  const sum = LANCZOS.reduce((part, weight, at) => part + weight / (x + at), LANCZOS_START);
  const shifted = x + 6.5;
  return HALF_LOG_TAU + (x - 0.5) * Math.log(shifted) - shifted + Math.log(sum);
}

/** Natural logarithm of the number of ways to choose `taken` of `all`. */
export function logChoose(all: number, taken: number): number {
  return logGamma(all + 1) - logGamma(taken + 1) - logGamma(all - taken + 1);
}
