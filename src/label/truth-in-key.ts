import { RE2JS } from 're2js';
import { withoutTar } from '../drop/tar-key.ts';
import { toPlainPattern } from './plain-pattern.ts';

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
