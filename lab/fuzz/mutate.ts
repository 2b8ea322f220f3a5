import { jsonOrUndefined } from '../../packages/laptop/kernel/json.ts';
import type { Chance } from './chance.ts';

/** Numbers at which readers go wrong: signs, lengths and limits of types. */
export const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  255,
  256,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
];
/** Names that mean something to JavaScript, to paths, to languages and to terminals. */
export const TEXTS = [
  '',
  ' ',
  '\0',
  '\n',
  '\r\n',
  '\t',
  '..',
  '/',
  '//',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '%',
  '%00',
  '%zz',
  '%ff',
  '${a}',
  '{{a}}',
  '$',
  '*',
  '?',
  '\\',
  "'",
  '"',
  '`',
  '<a>',
  '&a;',
  ']]>',
  '\u2028',
  '\u202e',
  '\ufeff',
  '\ud800',
  'é',
  '😀',
  'İ',
  'ß',
  'a'.repeat(300),
  'é'.repeat(1_100),
  '9'.repeat(400),
  '('.repeat(200),
];

/** A copy of the bytes with a few places changed, cut out, repeated, moved or replaced by a word. */
export function mutateBytes(
  seed: Buffer,
  chance: Chance,
  words: readonly (string | Buffer)[] = TEXTS,
): Buffer {
  let bytes = Buffer.from(seed);
  for (let left = chance.size(8); left > 0; left--) {
    const at = chance.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + chance.size(64));
    const [before, part, behind] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const word = (): Buffer => Buffer.from(chance.oneOf(words));
    switch (chance.below(9)) {
      case 0:
      case 1:
        bytes = Buffer.from(bytes);
        if (at < bytes.length) bytes[at] = chance.below(256);
        break;
      case 2:
        bytes = Buffer.from(bytes);
        if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << chance.below(8));
        break;
      case 3:
        bytes = Buffer.concat([before, behind]);
        break;
      case 4:
        bytes = Buffer.concat([
          before,
          ...Array<Buffer>(chance.size(chance.happens(0.05) ? 5_000 : 8)).fill(part),
          behind,
        ]);
        break;
      case 5:
        bytes = Buffer.concat([before, word(), behind]);
        break;
      case 6:
        bytes = Buffer.concat([bytes.subarray(0, at), word(), bytes.subarray(at)]);
        break;
      case 7:
        bytes = Buffer.concat([behind, part, before]);
        break;
      default:
        if (chance.happens(0.3)) bytes = Buffer.from(before);
    }
  }
  return bytes;
}

/** A text like the given one, which may hold halves of surrogate pairs and bytes that are no UTF-8. */
export function mutateText(seed: string, chance: Chance, words: readonly string[] = TEXTS): string {
  if (chance.happens(0.1)) return chance.oneOf(words);
  return mutateBytes(Buffer.from(seed), chance, [...words, ...TEXTS]).toString(
    chance.happens(0.8) ? 'utf8' : 'latin1',
  );
}

/** A JSON value with a few members changed, left out, renamed, doubled, nested, or of another type. */
export function mutateJson(seed: unknown, chance: Chance): unknown {
  let value = seed;
  for (let left = chance.size(4); left > 0; left--) value = mutatedOnce(value, chance);
  return value;
}

function mutatedOnce(value: unknown, chance: Chance): unknown {
  if (chance.happens(0.15)) return anyValue(chance);
  if (Array.isArray(value)) {
    const items: unknown[] = [...value];
    const at = chance.below(items.length + 1);
    switch (chance.below(4)) {
      case 0:
        items.splice(at, 1);
        break;
      case 1:
        items.splice(
          at,
          0,
          ...Array<unknown>(chance.size(200)).fill(items[chance.below(items.length + 1)] ?? null),
        );
        break;
      default:
        if (at < items.length) items[at] = mutatedOnce(items[at], chance);
    }
    return items;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    const at = chance.below(members.length + 1);
    const [name = chance.oneOf(TEXTS), member] = members[at] ?? [];
    switch (chance.below(5)) {
      case 0:
        return Object.fromEntries(members.toSpliced(at, 1));
      case 1:
        return Object.fromEntries([...members, [chance.oneOf(TEXTS), member ?? anyValue(chance)]]);
      default:
        return Object.fromEntries([...members.toSpliced(at, 1), [name, mutatedOnce(member, chance)]]);
    }
  }
  if (typeof value === 'string' && /^\s*[[{]/.test(value) && chance.happens(0.7)) {
    // Documents in texts, as policies and definitions are.
    const inner = jsonOrUndefined(value);
    if (inner !== undefined) return JSON.stringify(mutateJson(inner, chance));
  }
  if (typeof value === 'string') return chance.happens(0.7) ? mutateText(value, chance) : anyValue(chance);
  if (typeof value === 'number') return chance.happens(0.7) ? chance.oneOf(NUMBERS) : anyValue(chance);
  return anyValue(chance);
}

function anyValue(chance: Chance): unknown {
  switch (chance.below(8)) {
    case 0:
      return null;
    case 1:
      return chance.happens(0.5);
    case 2:
      return chance.oneOf(NUMBERS);
    case 3:
      return [];
    case 4:
      return {};
    case 5:
      return nested(chance.size(3_000), chance.happens(0.5));
    default:
      return chance.oneOf(TEXTS);
  }
}

function nested(depth: number, inLists: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = inLists ? [value] : { a: value };
  return value;
}
