/** 2^27 + 1 splits a double into two halves whose products are exact (Dekker 1971). */
const SPLITTER = 134_217_729;
/** Farther than any error of the arithmetic below, relative to the result. */
const DOUBT = 2 ** -95;

/** Ten to the powers 0 … 60 as sums of two doubles, as far as softmax outputs reach; exact up to 45. */
const HIGH = new Float64Array(61);
const LOW = new Float64Array(61);
for (let power = 0; power < HIGH.length; power++) {
  const exact = 10n ** BigInt(power);
  HIGH[power] = Number(exact);
  LOW[power] = Number(exact - BigInt(Number(exact)));
}

/**
 * `(mantissa * scale + tail) / 10 ** power` rounded to the nearest double, as decimal text must be;
 * NaN where two doubles are too few to tell which one is nearest, or the power is out of the table.
 *
 * @param mantissa a whole number below 2^53
 * @param scale ten to the number of digits in `tail`, at most 22; the tail is below 2^53
 */
export function roundedQuotient(mantissa: number, scale: number, tail: number, power: number): number {
  const high = HIGH[power];
  const low = LOW[power];
  if (high === undefined || low === undefined) return Number.NaN;
  // The decimal digits as an exact sum of two doubles.
  const product = mantissa * scale;
  const sum = product + tail;
  const rest = productError(mantissa, scale, product) + (tail - (sum - product));
  const quotient = sum / high;
  const back = quotient * high;
  const remainder = sum - back - productError(quotient, high, back) + rest - quotient * low;
  const correction = remainder / high;
  const doubt = quotient * DOUBT;
  const rounded = quotient + (correction - doubt);
  return rounded === quotient + (correction + doubt) ? rounded : Number.NaN;
}

/** What rounding took from a product: `a * b - product` exactly. */
function productError(a: number, b: number, product: number): number {
  const scaledA = SPLITTER * a;
  const highA = scaledA - (scaledA - a);
  const lowA = a - highA;
  const scaledB = SPLITTER * b;
  const highB = scaledB - (scaledB - b);
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
