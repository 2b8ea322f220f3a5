import { createHash, randomUUID } from 'node:crypto';
import { type Json, parseJson } from '../json.ts';

/** Where chance comes from; tests hand in their own. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  readonly uuid: () => string;
}

/** The computer's own. */
export const systemChance: Chance = { random: Math.random, uuid: () => randomUUID() };

const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

/** `$partition(array, size)`: arrays of at most `size` items. */
export function partition(items: readonly Json[], size: number): Json[][] | undefined {
  if (items === undefined) return undefined;
  if (!Number.isInteger(size) || size < 1)
    throw new RangeError(`$partition: size must be a positive integer, is ${size}`);
  const parts: Json[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}

/** `$range(first, last, step)` includes both limits and returns at most 1,000 numbers. */
export function range(first: number, last: number, step: number): number[] {
  if (step === 0) throw new RangeError('$range: step must not be 0');
  const length = Math.max(0, Math.floor((last - first) / step) + 1);
  if (length > 1000) throw new RangeError(`$range: at most 1000 numbers, would be ${length}`);
  return Array.from({ length }, (_, index) => first + index * step);
}

/** `$hash(text, algorithm)` as lower-case hexadecimal. */
export function hash(text: string, algorithm: string): string | undefined {
  if (text === undefined) return undefined;
  const name = HASHES[algorithm];
  if (!name)
    throw new RangeError(
      `$hash: algorithm must be one of ${Object.keys(HASHES).join(', ')}, is ${algorithm}`,
    );
  return createHash(name).update(text).digest('hex');
}

/** `$parse(text)`: the value of a JSON text. */
export function parse(text: string): Json | undefined {
  return text === undefined ? undefined : parseJson(text);
}

/** `$random(seed)`: the same seed gives the same number (Mulberry32). */
export function seededRandom(seed: number): number {
  let state = (Math.trunc(seed) + 0x6d2b79f5) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}
