import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { PairTally } from '../../metric/pair-tally.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { ShardEntry } from '../records/reconciled.ts';
import { type BaselineShard, readBaselinePlan, readBaselineShards } from './baseline-shards.ts';

/** Keys before and after all others: no UTF-8 text sorts after this character. */
export const ALL_KEYS = { first: '', last: '\u{10ffff}' } as const;

/** Rows of another run's shard, possibly including some of the same inputs. */
export interface PairedRows {
  /** Inputs of this run by their names in the other one. */
  readonly pairs: ReadonlyMap<string, ShardEntry>;
  readonly rows: BaselineShard['rows'];
}

/**
 * Pairs the inputs of a shard with another run's inputs: by the name below the drop if the content is the same, else by the
 * content, if it occurs once in both. A file that was moved to the folder of another class is the same input.
 *
 * @param entries in the order of their names
 * @param counts counted into, once all pairs are read
 */
export async function* pairInputs(
  store: ObjectStore,
  other: RunParts,
  { entries, prefix }: { readonly entries: readonly ShardEntry[]; readonly prefix: string },
  counts: PairTally['inputs'] = { paired: 0, changed: 0, added: 0 },
): AsyncGenerator<PairedRows> {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return;
  const before = (await readBaselinePlan(store, other)).input.prefix;
  const toBefore = ({ name }: ShardEntry): string => before + name.slice(prefix.length);
  const left = new Map(entries.map((entry) => [toBefore(entry), entry]));
  const changed = new Set<string>();
  for await (const { entries: others, rows } of readBaselineShards(store, other, {
    first: toBefore(first),
    last: toBefore(last),
  })) {
    const pairs = new Map<string, ShardEntry>();
    for (const { name, content, size } of others) {
      const here = left.get(name);
      if (here === undefined) continue;
      if (here.content !== content || here.size !== size) changed.add(name);
      else {
        pairs.set(name, here);
        left.delete(name);
      }
    }
    counts.paired += pairs.size;
    if (pairs.size > 0) yield { pairs, rows };
  }
  const moved = left.size === 0 ? [] : await findMoved(store, other, left.values());
  for (const { pairs, rows } of moved) {
    counts.paired += pairs.size;
    for (const entry of pairs.values()) left.delete(toBefore(entry));
    yield { pairs, rows };
  }
  const replaced = left.keys().reduce((count, name) => count + (changed.has(name) ? 1 : 0), 0);
  counts.changed += replaced;
  counts.added += left.size - replaced;
}

/** The shards of another run that have the contents of some inputs under other names. Copies are no inputs of their own. */
async function findMoved(
  store: ObjectStore,
  other: RunParts,
  inputs: Iterable<ShardEntry>,
): Promise<readonly PairedRows[]> {
  const originals = Iterator.from(inputs).filter(({ copy }) => copy !== true);
  const wanted = Map.groupBy(originals, contentOf);
  if (wanted.size === 0) return [];
  const contents = new Set(wanted.values().flatMap((group) => group.map(({ content }) => content)));
  const found = new Map<
    string,
    { readonly name: string; readonly rows: BaselineShard['rows'] } | undefined
  >();
  for await (const { entries, rows } of readBaselineShards(store, other, ALL_KEYS))
    for (const entry of entries.withContent(contents)) {
      const content = contentOf(entry);
      // A content that is there twice belongs to no one input.
      if (entry.copy !== true && wanted.get(content)?.length === 1)
        found.set(content, found.has(content) ? undefined : { name: entry.name, rows });
    }
  const byShard = new Map<BaselineShard['rows'], Map<string, ShardEntry>>();
  for (const [content, place] of found) {
    const [here] = wanted.get(content) ?? [];
    if (place === undefined || here === undefined) continue;
    const pairs = byShard.get(place.rows) ?? new Map<string, ShardEntry>();
    byShard.set(place.rows, pairs.set(place.name, here));
  }
  return Array.from(byShard, ([rows, pairs]) => ({ pairs, rows }));
}

function contentOf({ content, size }: Pick<ShardEntry, 'content' | 'size'>): string {
  return `${size}\n${content}`;
}
