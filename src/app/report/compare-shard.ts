import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { NOT_ASKED } from '../../metric/count-outcome.ts';
import type { Flip } from '../../metric/flip.ts';
import { cellOfPair, countPaired, createPairTally, type PairTally } from '../../metric/pair-tally.ts';
import type { PairedCells } from '../../metric/paired-change.ts';
import type { PredictionRow } from '../../report/table/prediction-rows.ts';
import type { StoredRow } from '../../report/table/read-rows.ts';
import { RunParts } from '../../run/run-id.ts';
import type { ShardEntry } from '../records/reconciled.ts';
import { readBaselinePrefix, readBaselineShards } from './baseline-shards.ts';

/** A row with the bucket of its cluster, if the run has clusters. */
export interface FoldedRow extends PredictionRow {
  readonly cluster?: number;
}

/** A shard of a run, folded. */
export interface FoldedShard {
  readonly entries: readonly ShardEntry[];
  readonly rows: readonly FoldedRow[];
  /** Prefix of the run's keys. */
  readonly prefix: string;
  /** Whether labels lie in the records, so that a record without an answer has the label that the baseline found in it. */
  readonly isLabelInside?: boolean;
}

/** Comparison of a shard's inputs with those of the baseline that have the same name below the drop and the same content. */
export interface ShardComparison {
  readonly tally: PairTally;
  /** In the order of the baseline's rows, which is that of their keys. */
  readonly flips: readonly Flip[];
  /** Which of the runs was right about the labelled inputs of both, by their names; of several records the last counts. */
  readonly judged: ReadonlyMap<string, keyof PairedCells>;
}

/** Compares a shard with the baseline's predictions for the same inputs. */
export async function compareShard(
  store: ObjectStore,
  baseline: string,
  { entries, rows, prefix, isLabelInside = false }: FoldedShard,
): Promise<ShardComparison> {
  const tally = createPairTally(baseline);
  const flips: Flip[] = [];
  const judged = new Map<string, keyof PairedCells>();
  const take = (record: FoldedRow | undefined, row: StoredRow | undefined): void => {
    const place = record ?? { key: row?.key ?? '', recordIndex: row?.record_index ?? 0, truth: null };
    const inside = isLabelInside && record?.prediction === null ? row?.truth : null;
    const truth = isAsked(record) && isAsked(row) ? (place.truth ?? inside ?? null) : null;
    const flip = countPaired(tally, { ...place, truth }, row, record);
    if (flip !== undefined) flips.push(flip);
    if (record !== undefined && truth !== null)
      judged.set(record.key, cellOfPair(truth, row?.prediction ?? null, record.prediction));
  };
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return { tally, flips, judged };

  const run = RunParts.parse(baseline);
  const before = await readBaselinePrefix(store, run);
  const toBefore = (key: string): string => before + key.slice(prefix.length);
  const inputs = new Map(entries.map((entry) => [toBefore(entry.name), entry]));
  const now = groupByKey(rows, toBefore);
  const range = { first: toBefore(first.name), last: toBefore(last.name) };
  for await (const shard of readBaselineShards(store, run, range)) {
    const paired = new Set<string>();
    for (const entry of shard.entries) {
      const here = inputs.get(entry.name);
      if (here === undefined) continue;
      inputs.delete(entry.name);
      if (here.content !== entry.content || here.size !== entry.size) tally.inputs.changed++;
      else {
        tally.inputs.paired++;
        paired.add(entry.name);
      }
    }
    for await (const group of shard.rows) {
      for (const row of group) {
        if (!paired.has(row.key)) continue;
        take(takeRow(now, row.key, row.record_index), row);
      }
    }
    // Records without a row in the baseline.
    for (const key of paired) for (const record of now.get(key)?.values() ?? []) take(record, undefined);
  }
  tally.inputs.added += inputs.size;
  return { tally, flips, judged };
}

type RowsByKey = Map<string, Map<number, FoldedRow>>;

function groupByKey(rows: readonly FoldedRow[], rename: (key: string) => string): RowsByKey {
  const groups: RowsByKey = new Map();
  for (const row of rows) {
    const key = rename(row.key);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, new Map([[row.recordIndex, row]]));
    else group.set(row.recordIndex, row);
  }
  return groups;
}

function takeRow(rows: RowsByKey, key: string, recordIndex: number): FoldedRow | undefined {
  const group = rows.get(key);
  const row = group?.get(recordIndex);
  group?.delete(recordIndex);
  return row;
}

/** Whether the model of a run had to answer a record. */
function isAsked(row: { readonly error: string | null } | undefined): boolean {
  return !NOT_ASKED.has(row?.error ?? '');
}
