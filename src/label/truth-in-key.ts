import { RE2JS } from 're2js';
import { withoutTar } from '../drop/tar-key.ts';

/** Syntax that RE2 and JavaScript read alike: one character or class with its repetition, or the start or end of a group. */
const PIECE =
  /(?<atom>[\w/=:,;@%&~ -]|\\[$()*+./?[\\\]^{|}]|\\[dw]|\.|\[\^?(?:[A-Za-z0-9]-[A-Za-z0-9]|[\w/=:,;@%&~ .]|\\[dw.])+-?\])(?:(?<many>[*+]|\{\d{1,3},\d{0,3}\})|(?<maybe>\?)|(?<fixed>\{\d{1,3}\}))?(?<lazy>(?<=[*+?}])\?)?|\((?:\?:)?|\)(?![*+?{])/y;
/** Cap on open-ended repetitions: each, and an unanchored start, multiplies the steps by the length of the key, which is at most 1,024. */
const MAX_LOOPS = 2;
const MAX_OPTIONAL = 3;
/** JavaScript's engine refuses to compile very long patterns; RE2's does not. */
const MAX_LENGTH = 1_000;

/** Reads the label of an input from its key; undefined if the key has no label. */
export type TruthInKey = (key: string) => string | undefined;

/**
 * The first group of an RE2 pattern, searched anywhere in the key. RE2 runs in linear time, so that no pattern can hang a run;
 * patterns that both engines read alike run on JavaScript's faster engine.
 *
 * @throws {Error} if the pattern is not RE2 syntax; PlanRun has checked it before
 */
export function truthByPattern(pattern: string): TruthInKey {
  const compiled = RE2JS.compile(pattern);
  const plain = toPlainPattern(pattern);
  if (plain !== undefined) {
    return (key) => {
      const found = plain.exec(key);
      return found?.[1] ?? found?.[0];
    };
  }
  return (key) => {
    const matcher = compiled.matcher(key);
    if (!matcher.find()) return undefined;
    return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? undefined;
  };
}

/** The name of the folder that holds the input, below the drop's own prefix; a tar counts as one, without its extension. */
export function truthByFolder(inputPrefix: string): TruthInKey {
  return (key) => {
    const below = key.startsWith(inputPrefix) ? key.slice(inputPrefix.length) : key;
    const folder = below.split('/').at(-2);
    return folder === undefined || folder === '' ? undefined : withoutTar(folder);
  };
}

/**
 * The same pattern for JavaScript's own engine, which is ten times as fast as RE2 but backtracks. Undefined if the two could
 * differ, or where a key could take more than about a million steps.
 */
export function toPlainPattern(pattern: string): RegExp | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  const anchored = pattern.startsWith('^');
  const end = pattern.endsWith('$') && !pattern.endsWith('\\$') ? pattern.length - 1 : pattern.length;
  let source = anchored ? '^' : '';
  let loops = anchored ? 0 : 1;
  let optional = 0;
  for (PIECE.lastIndex = source.length; PIECE.lastIndex < end;) {
    const piece = PIECE.exec(pattern);
    if (piece === null) return undefined;
    const { atom, many, maybe } = piece.groups ?? {};
    if (many !== undefined) loops++;
    if (maybe !== undefined) optional++;
    // In RE2, the dot excludes only line feeds.
    source += atom === '.' ? `[^\\n]${piece[0].slice(1)}` : piece[0];
  }
  if (loops > MAX_LOOPS || optional > MAX_OPTIONAL) return undefined;
  return new RegExp(source + pattern.slice(end), 'u');
}
