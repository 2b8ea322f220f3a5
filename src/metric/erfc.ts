/** Complementary error function of x ≥ 0, to about 14 digits: Maclaurin series, then Lentz's continued fraction. */
export function erfc(x: number): number {
  const square = x * x;
  const scale = Math.exp(-square) / Math.sqrt(Math.PI);
  if (x < 1.5) {
    let term = 2 * x;
    let sum = term;
    for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
      term *= (2 * square) / odd;
      sum += term;
    }
    return 1 - scale * sum;
  }
  let fraction = x;
  for (let level = 200; level > 0; level--) fraction = x + level / 2 / fraction;
  return scale / fraction;
}
