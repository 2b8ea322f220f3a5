import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { answerOf } from '../../input/file-place.ts';
import { NOT_ASKED } from '../../metric/count-outcome.ts';
import type { Flip } from '../../metric/flip.ts';
import { cellOfPair, countPaired, createPairTally, type PairTally } from '../../metric/pair-tally.ts';
import type { PairedCells } from '../../metric/paired-change.ts';
import type { PredictionRow } from '../../report/table/prediction-rows.ts';
import { placeOfRow, type StoredRow } from '../../report/table/read-rows.ts';
import { RunParts } from '../../run/run-id.ts';
import type { ShardEntry } from '../records/reconciled.ts';
import type { Counts } from '../records/set-aside.ts';
import { pairInputs } from './pair-inputs.ts';

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
}

/** Comparison of a shard's inputs with the baseline's inputs of the same content. */
export interface ShardComparison {
  readonly tally: PairTally;
  /** In the order of the baseline's rows, sorted by key. */
  readonly flips: readonly Flip[];
  /** Which of the runs was right about the labeled inputs of both, by their names; of several records the last counts. */
  readonly judged: ReadonlyMap<string, keyof PairedCells>;
}

/** Compares a shard with the baseline's predictions for the same inputs, without copies and those that a model was trained on. */
export async function compareShard(
  store: ObjectStore,
  baseline: string,
  { entries: all, rows, prefix }: FoldedShard,
  counts?: Counts,
): Promise<ShardComparison> {
  const entries = all.filter((entry) => entry.copy !== true && counts?.(entry) !== false);
  const tally = createPairTally(baseline);
  const flips: Flip[] = [];
  const judged = new Map<string, keyof PairedCells>();
  const take = (name: string, record: FoldedRow | undefined, row: StoredRow | undefined): void => {
    const place = record ?? { key: name, recordIndex: 0, truth: null };
    const truth = isAsked(record) && isAsked(row) ? place.truth : null;
    if (record !== undefined && row !== undefined && record.truth !== row.truth) tally.relabeled++;
    const flip = countPaired(tally, { ...place, truth }, row, record);
    if (flip !== undefined) flips.push(flip);
    if (record !== undefined && truth !== null)
      judged.set(name, cellOfPair(truth, row?.prediction ?? null, record.prediction));
  };
  const now = groupByInput(rows);
  const run = RunParts.parse(baseline);
  for await (const { pairs, rows: before } of pairInputs(store, run, { entries, prefix }, tally.inputs)) {
    for await (const group of before) {
      for (const row of group) {
        const { name, answer } = answerOf(placeOfRow(row));
        const here = pairs.get(name)?.name;
        if (here !== undefined) take(here, takeRow(now, here, answer), row);
      }
    }
    // Records without a row in the baseline.
    for (const { name } of pairs.values())
      for (const record of now.get(name)?.values() ?? []) take(name, record, undefined);
  }
  return { tally, flips, judged };
}

/** Rows by the name of their input and the place of their answer in its output. */
export type RowsByInput = Map<string, Map<number, FoldedRow>>;

/** Groups rows by their input. */
export function groupByInput(rows: readonly FoldedRow[]): RowsByInput {
  const groups: RowsByInput = new Map();
  for (const row of rows) {
    const { name, answer } = answerOf(row);
    groups.set(name, (groups.get(name) ?? new Map<number, FoldedRow>()).set(answer, row));
  }
  return groups;
}

/** A row, which is then gone from the groups. */
export function takeRow(rows: RowsByInput, name: string, answer: number): FoldedRow | undefined {
  const group = rows.get(name);
  const row = group?.get(answer);
  group?.delete(answer);
  return row;
}

/** Whether the model of a run had to answer a record. */
function isAsked(row: { readonly error: string | null } | undefined): boolean {
  return !NOT_ASKED.has(row?.error ?? '');
}
