import { roundedQuotient } from './decimal-rounding.ts';

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const COMMA = 0x2c;
const CLOSE = 0x5d;
/** Ten to powers that a double holds exactly. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const MOST_EXACT_DIGITS = 15;
/** Numbers with more digits before the point are no scores worth speed. */
const MOST_WHOLE_DIGITS = 7;
const MOST_FRACTION_DIGITS = 22;
/** So near the end of the bytes numbers are read one by one, as four digits at a time would read beyond it. */
const MARGIN = 40;

/**
 * Reads the numbers of a JSON list straight from its bytes into `scores`, each to the same double as `JSON.parse`.
 * Digits are taken four at a time; a thousand scores are most of an output's bytes.
 *
 * @param at place after the opening bracket
 * @returns place after the closing bracket; -1 where the list is not exactly `scores.length` plain numbers, and the
 *   general reader must look at it
 */
export function readScoreVector(bytes: Uint8Array, at: number, scores: Float64Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const safe = bytes.length - MARGIN;
  const last = scores.length - 1;
  let place = at;
  for (let index = 0; index <= last; index++) {
    let byte = bytes[place] ?? 0;
    while (byte <= 0x20 && isSpace(byte)) byte = bytes[++place] ?? 0;
    const start = place;
    const negative = byte === MINUS;
    if (negative) byte = bytes[++place] ?? 0;
    if (byte < ZERO || byte > NINE) return -1;

    let whole = 0;
    let wholeDigits = 0;
    if (byte === ZERO) {
      byte = bytes[++place] ?? 0;
    } else {
      const first = place;
      while (byte >= ZERO && byte <= NINE) {
        whole = (whole * 10 + byte - ZERO) | 0;
        byte = bytes[++place] ?? 0;
      }
      wholeDigits = place - first;
      if (wholeDigits > MOST_WHOLE_DIGITS) return -1;
    }

    // Digits after the point: eight of them, and the rest.
    let eight = 0;
    let rest = 0;
    let digits = 0;
    let exponent = 0;
    if (byte === DOT) {
      byte = bytes[++place] ?? 0;
      const fraction = place;
      if (wholeDigits === 0) while (byte === ZERO) byte = bytes[++place] ?? 0;
      const first = place;
      if (place < safe) {
        let word = view.getInt32(place, true);
        if (isFourDigits(word)) {
          eight = fourDigits(word);
          place += 4;
          word = view.getInt32(place, true);
          if (isFourDigits(word)) {
            eight = eight * 10_000 + fourDigits(word);
            place += 4;
            word = view.getInt32(place, true);
            if (isFourDigits(word)) {
              rest = fourDigits(word);
              place += 4;
              word = view.getInt32(place, true);
              if (isFourDigits(word)) {
                rest = rest * 10_000 + fourDigits(word);
                place += 4;
              }
            }
          }
        }
        byte = bytes[place] ?? 0;
      }
      const eighth = first + 8;
      while (byte >= ZERO && byte <= NINE && place < eighth) {
        eight = (eight * 10 + byte - ZERO) | 0;
        byte = bytes[++place] ?? 0;
      }
      while (byte >= ZERO && byte <= NINE) {
        rest = rest * 10 + byte - ZERO;
        byte = bytes[++place] ?? 0;
      }
      digits = place - first;
      exponent = fraction - place;
      if (exponent === 0 || digits > MOST_FRACTION_DIGITS) return -1;
    }
    if (byte === 0x65 || byte === 0x45) {
      byte = bytes[++place] ?? 0;
      const down = byte === MINUS;
      if (down || byte === PLUS) byte = bytes[++place] ?? 0;
      if (byte < ZERO || byte > NINE) return -1;
      let power = 0;
      while (byte >= ZERO && byte <= NINE) {
        power = power * 10 + (byte - ZERO);
        byte = bytes[++place] ?? 0;
      }
      exponent += down ? -power : power;
    }

    const beyond = digits > 8 ? digits - 8 : 0;
    const mantissa = whole * (EXACT_POWERS[digits - beyond] ?? 1) + eight;
    const scale = EXACT_POWERS[beyond] ?? 1;
    let value: number;
    if (wholeDigits + digits > MOST_EXACT_DIGITS || exponent < -22 || exponent > 22) {
      value = roundedQuotient(mantissa, scale, rest, -exponent);
      if (Number.isNaN(value)) value = Math.abs(Number(latin1(bytes, start, place)));
    } else if (exponent <= 0) {
      value = (mantissa * scale + rest) / (EXACT_POWERS[-exponent] ?? 1);
    } else {
      value = (mantissa * scale + rest) * (EXACT_POWERS[exponent] ?? 1);
    }
    scores[index] = negative ? -value : value;

    while (byte <= 0x20 && isSpace(byte)) byte = bytes[++place] ?? 0;
    if (byte !== (index === last ? CLOSE : COMMA)) return -1;
    place++;
  }
  return place;
}

/** Whether the four bytes of a word are all ASCII digits (Lemire 2018, "Quickly parsing eight digits"). */
function isFourDigits(word: number): boolean {
  return ((word & 0xf0f0f0f0) | (((word + 0x06060606) & 0xf0f0f0f0) >>> 4)) === 0x33333333;
}

/** Value of four ASCII digits, the first one in the lowest byte. */
function fourDigits(word: number): number {
  const digits = word & 0x0f0f0f0f;
  const pairs = Math.imul(digits, 10) + (digits >>> 8);
  return (pairs & 0xff) * 100 + ((pairs >>> 16) & 0xff);
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
