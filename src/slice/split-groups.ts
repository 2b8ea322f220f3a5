import { createHash } from 'node:crypto';

/** A file with the group that it belongs to. */
interface Grouped {
  readonly name: string;
  readonly group: string;
}

/** Two parts that share no group, or the group that makes that impossible. */
type Split<T> =
  | { readonly train: readonly T[]; readonly evaluation: readonly T[] }
  | { readonly reached: number; readonly wanted: number; readonly largest: string; readonly files: number };

/** Least part of the wanted evaluation that a split must reach. */
const LEAST = 0.9;

/**
 * Splits files so that a training and its evaluation share no group, such as a patient. Groups come in the order of the SHA-256 of their
 * names, and each goes to the evaluation if it still fits: the same names give the same parts, in whatever order they are listed.
 *
 * @param share of the files that the evaluation gets, 0 … 1
 */
export function splitGroups<T extends Grouped>(files: readonly T[], share: number): Split<T> {
  const wanted = Math.round(files.length * share);
  const groups = [...Map.groupBy(files, ({ group }) => group)].map(([group, own]) => ({
    group,
    own,
    place: createHash('sha256').update(group).digest('hex'),
  }));
  groups.sort((a, b) => (a.place < b.place ? -1 : 1));
  const evaluated = new Set<string>();
  let reached = 0;
  for (const { group, own } of groups) {
    if (reached + own.length > wanted) continue;
    evaluated.add(group);
    reached += own.length;
  }
  if (reached === 0 || reached === files.length || reached < LEAST * wanted) {
    const { group: largest = '', own = [] } = groups.toSorted((a, b) => b.own.length - a.own.length)[0] ?? {};
    return { reached, wanted, largest, files: own.length };
  }
  return {
    train: files.filter(({ group }) => !evaluated.has(group)),
    evaluation: files.filter(({ group }) => evaluated.has(group)),
  };
}
