import type { OutputShape, Prediction } from './prediction.ts';
import { readScoreVector } from './score-vector-bytes.ts';

const PREDICTIONS = Buffer.from('"predictions"');
const CLASSES = Buffer.from('"classes"');
const PROBABILITIES = Buffer.from('"probabilities"');
const [OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT, COLON, COMMA] = Buffer.from('[]{}:,');

/**
 * Reads one record as TensorFlow Serving writes it, `{"predictions": [[0.1, …]]}` or
 * `{"predictions": [{"classes": 3, "probabilities": [0.1, …]}]}`, without building the document.
 *
 * Undefined where the bytes are anything else, however slightly: then the general reader decides what they are.
 */
export function readTensorflowBytes(
  bytes: Uint8Array,
  { scoreCount }: OutputShape,
  room?: Float64Array,
): Prediction | undefined {
  if (scoreCount < 2) return undefined;
  const scores = room ?? new Float64Array(scoreCount);
  let at = after(bytes, OPEN_OBJECT, 0);
  at = after(bytes, OPEN, after(bytes, COLON, afterWord(bytes, PREDICTIONS, at)));
  if (at < 0) return undefined;
  const inner = skipSpace(bytes, at);
  if (bytes[inner] === OPEN) {
    const end = readScoreVector(bytes, inner + 1, scores);
    return isEnd(bytes, end) ? { scores } : undefined;
  }
  if (bytes[inner] !== OPEN_OBJECT) return undefined;
  at = after(bytes, COLON, afterWord(bytes, CLASSES, inner + 1));
  const label = at < 0 ? undefined : digits(bytes, skipSpace(bytes, at));
  if (label === undefined) return undefined;
  at = after(bytes, COLON, afterWord(bytes, PROBABILITIES, after(bytes, COMMA, label.end)));
  at = after(bytes, OPEN, at);
  if (at < 0) return undefined;
  const end = after(bytes, CLOSE_OBJECT, readScoreVector(bytes, at, scores));
  return isEnd(bytes, end) ? { label: label.value, scores } : undefined;
}

/** Nothing but the closing brackets of list and document may follow. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  const end = after(bytes, CLOSE_OBJECT, after(bytes, CLOSE, at));
  return end >= 0 && skipSpace(bytes, end) === bytes.length;
}

/** Place after a byte, and the white space before it; -1 where it is not there, or `at` is -1 already. */
function after(bytes: Uint8Array, byte: number | undefined, at: number): number {
  if (at < 0) return -1;
  const place = skipSpace(bytes, at);
  return bytes[place] === byte ? place + 1 : -1;
}

function afterWord(bytes: Uint8Array, word: Uint8Array, at: number): number {
  if (at < 0) return -1;
  const place = skipSpace(bytes, at);
  for (let offset = 0; offset < word.length; offset++) if (bytes[place + offset] !== word[offset]) return -1;
  return place + word.length;
}

function skipSpace(bytes: Uint8Array, at: number): number {
  let place = at;
  let byte = bytes[place];
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++place];
  return place;
}

/** A class index of up to nine digits without a leading zero. */
function digits(bytes: Uint8Array, at: number): { value: number; end: number } | undefined {
  let value = 0;
  let end = at;
  for (let byte = bytes[end] ?? 0; byte >= 0x30 && byte <= 0x39; byte = bytes[++end] ?? 0)
    value = value * 10 + byte - 0x30;
  const count = end - at;
  const next = bytes[end];
  if (count === 0 || count > 9 || (count > 1 && bytes[at] === 0x30)) return undefined;
  return next === COMMA || next === 0x20 || next === 0x0a ? { value, end } : undefined;
}
