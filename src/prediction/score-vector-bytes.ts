import { powersOfFive, wholePowers } from './powers-of-ten.ts';
import { SCORE_VECTOR_WASM } from './score-vector-wasm.ts';

/** Where score-vector.wat looks for its tables; scores and text lie after them. */
const TENS = 64;
const LIMITS = 200;
const FIVES = 512;
const SCORES = 16_384;
/** Sixteen bytes are read at once, also the last ones. */
const MARGIN = 16;
const PAGE = 65_536;
/** A longer text is left to the general reader: this memory is never given back. */
const MOST_BYTES = 32_000_000;

interface Reader {
  readonly memory: WebAssembly.Memory;
  readonly read: (at: number, scores: number, end: number) => number;
  bytes: Uint8Array;
  /** What was read last, of so many numbers. */
  numbers: Float64Array;
}

let reader: Reader | undefined;

/**
 * Reads the numbers of a JSON list straight from its bytes into `scores`, each to the same double as `JSON.parse`; a
 * thousand scores are most of an output's bytes.
 *
 * @param at place after the opening bracket
 * @returns place after the closing bracket; -1 where the list is not exactly `scores.length` plain numbers, and the
 *   general reader must look at it
 */
export function readScoreVector(bytes: Uint8Array, at: number, scores: Float64Array): number {
  const end = SCORES + scores.byteLength;
  const size = end + bytes.length + MARGIN;
  if (size > MOST_BYTES) return -1;
  reader ??= createReader();
  if (size > reader.bytes.length) grow(reader, size);
  reader.bytes.set(bytes, end);
  // What an earlier text has left must not go on with this one.
  reader.bytes[end + bytes.length] = 0;
  const place = reader.read(end + at, SCORES, end);
  if (place < 0) return -1;
  if (reader.numbers.length !== scores.length)
    reader.numbers = new Float64Array(reader.memory.buffer, SCORES, scores.length);
  scores.set(reader.numbers);
  return place - end;
}

function createReader(): Reader {
  const module = new WebAssembly.Module(Buffer.from(SCORE_VECTOR_WASM, 'base64'));
  const { memory, read } = new WebAssembly.Instance(module).exports;
  if (!(memory instanceof WebAssembly.Memory) || !isFunction(read)) {
    throw new TypeError('score-vector.wat must export memory and read');
  }
  const { tens, limits } = wholePowers();
  for (const [place, table] of [
    [TENS, tens],
    [LIMITS, limits],
    [FIVES, powersOfFive()],
  ] as const) {
    new BigUint64Array(memory.buffer, place, table.length).set(table);
  }
  return { memory, read, ...views(memory) };
}

function grow(reader: Reader, size: number): void {
  reader.memory.grow(Math.ceil((size - reader.bytes.length) / PAGE));
  Object.assign(reader, views(reader.memory));
}

function views({ buffer }: WebAssembly.Memory): Pick<Reader, 'bytes' | 'numbers'> {
  return { bytes: new Uint8Array(buffer), numbers: new Float64Array(buffer, SCORES, 0) };
}

function isFunction(value: unknown): value is Reader['read'] {
  return typeof value === 'function';
}
