/**
 * Writes a number as TensorFlow Serving does: six significant digits if they read back to the same value, else nine
 * (float32) or seventeen (float64), in C's `%g` form, with `.0` on whole numbers. NaN and the infinities are bare tokens.
 */
export function toDecimal(value: number, precision: 'float32' | 'float64'): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const single = precision === 'float32';
  const short = value.toPrecision(6);
  const shortValue = Number(short);
  const exact = (single ? Math.fround(shortValue) : shortValue) === value;
  return exact ? toGeneral(short, 6) : toGeneral(value.toPrecision(single ? 9 : 17), single ? 9 : 17);
}

/** Brings the text of `toPrecision` to C's `%g` form: no trailing zeros, an exponent of at least two digits. */
function toGeneral(text: string, digits: number): string {
  const at = text.indexOf('e');
  if (at >= 0) return `${trimZeros(text.slice(0, at))}e${toExponent(Number(text.slice(at + 1)))}`;
  // JavaScript stays with plain digits down to 1e-6, C's %g only down to 1e-4.
  const match = /^(-?)0\.0000(0*)([1-9]\d*)$/.exec(text);
  if (match) {
    const [, sign = '', zeros = '', significant = ''] = match;
    const mantissa = `${significant.slice(0, 1)}.${significant.slice(1, digits)}`;
    return `${sign}${trimZeros(mantissa)}e${toExponent(-5 - zeros.length)}`;
  }
  const trimmed = trimZeros(text);
  return trimmed.includes('.') ? trimmed : `${trimmed}.0`;
}

function toExponent(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function trimZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  if (text.charCodeAt(end - 1) === 46) end--;
  return text.slice(0, end);
}
