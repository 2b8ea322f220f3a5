import { Unconvertible } from '../trees-refused.ts';

/** Remedy for a damaged file. */
export const SAVE_AGAIN = 'save it again with booster.save_model("model.txt")';

/** The parts of a model's text. Each line is `name=value`. */
export interface ModelText {
  readonly header: ReadonlyMap<string, string>;
  readonly trees: readonly ReadonlyMap<string, string>[];
  /** Values of each column of categories, if pandas coded them. */
  readonly pandasCategories: string;
}

/**
 * Takes a model apart by the sizes of its trees, which its header lists; they don't count the carriage returns of a copy
 * from Windows.
 *
 * @throws {Unconvertible} if a tree isn't where it should be
 */
export function readModelText(bytes: Uint8Array): ModelText {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const all = given.includes('\r\n')
    ? Buffer.from(given.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    : given;
  const start = all.indexOf('\nTree=0\n') + 1;
  const header = fieldsOf(all.toString('utf8', 0, start));
  const sizes = numbersOf(header, 'tree_sizes');
  const trees: ReadonlyMap<string, string>[] = [];
  let at = start;
  for (const [place, size] of sizes.entries()) {
    const text = all.toString('latin1', at, at + size);
    if (!text.startsWith(`Tree=${place}\n`))
      throw new Unconvertible(`is damaged: its tree ${place} isn't at byte ${at}: ${SAVE_AGAIN}`);
    trees.push(fieldsOf(text));
    at += size;
  }
  const rest = all.toString('utf8', at);
  if (trees.length === 0 || !rest.startsWith('end of trees\n'))
    throw new Unconvertible(
      `is damaged: it lists ${sizes.length} trees and doesn't stop after them: ${SAVE_AGAIN}`,
    );
  const categories = fieldsOf(rest.replace('\npandas_categorical:', '\npandas_categorical='));
  return { header, trees, pandasCategories: categories.get('pandas_categorical') ?? 'null' };
}

/** Numbers of a field, separated by blanks; C++ writes infinities in words of its own. @throws {Unconvertible} */
export function numbersOf(fields: ReadonlyMap<string, string>, name: string): readonly number[] {
  const words = (fields.get(name) ?? '').split(' ').filter((word) => word !== '');
  return words.map((word) => {
    const value = Number(word.replace(/^(-?)inf$/, '$1Infinity'));
    if (Number.isNaN(value)) throw new Unconvertible(`is damaged: its ${name} has "${word}": ${SAVE_AGAIN}`);
    return value;
  });
}

function fieldsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf('=');
      return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
