/** Powers that a double can need: a mantissa of 64 bits times `10 ** -343` is less than every double. */
const LEAST_POWER = -342;
const MOST_POWER = 308;
const WORD = (1n << 64n) - 1n;

/** `10 ** 0 … 10 ** 16`, and the largest word for each that stays a word when as many digits are put behind it. */
export function wholePowers(): { tens: BigUint64Array; limits: BigUint64Array } {
  const tens = BigUint64Array.from({ length: 17 }, (_, power) => 10n ** BigInt(power));
  return { tens, limits: tens.map((ten) => WORD / ten - 1n) };
}

/** The first 128 bits of `5 ** -342 … 5 ** 308`, upper half first, as Lemire 2021, section 5 and appendix B, has them. */
export function powersOfFive(): BigUint64Array {
  const words = new BigUint64Array(2 * (MOST_POWER - LEAST_POWER + 1));
  for (let power = LEAST_POWER, at = 0; power <= MOST_POWER; power++) {
    const bits = power < 0 ? reciprocalBits(-power) : firstBits(power);
    words[at++] = bits >> 64n;
    words[at++] = bits & WORD;
  }
  return words;
}

function firstBits(power: number): bigint {
  return ((5n ** BigInt(power)) << 128n) >> BigInt(bitLength(power));
}

/** Rounded up as long as the power itself is a word, and cut off beyond. */
function reciprocalBits(power: number): bigint {
  const length = BigInt(bitLength(power));
  const five = 5n ** BigInt(power);
  return power <= 27 ? (1n << (length + 127n)) / five + 1n : (1n << (length + 127n)) / five;
}

/** Bits of `5 ** power`; exact up to 5^512. */
function bitLength(power: number): number {
  return ((power * 152_170) >> 16) + 1;
}
