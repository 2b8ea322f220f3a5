const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;

/**
 * Compares two keys as S3 lists them: by their UTF-8 bytes.
 *
 * JavaScript compares UTF-16 units, which puts characters beyond U+FFFF before U+E000 … U+FFFF.
 */
export function compareByteOrder(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit < FIRST_AFTER_SURROGATES ? unit + 0x10000 : unit;
}
