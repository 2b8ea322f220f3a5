import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { comparisonOf } from '../../metric/comparison.ts';
import { type Flip, topFlips } from '../../metric/flip.ts';
import {
  comparedInputs,
  createPairTally,
  mergePairTally,
  toStoredPairTally,
} from '../../metric/pair-tally.ts';
import { Condition } from '../../problem/conditions.ts';
import { baselineInputs } from '../../report/baseline-inputs.ts';
import type { Report } from '../../report/report.ts';
import { ReportComparison, reportComparison } from '../../report/report-comparison.ts';
import type { PredictionRow } from '../../report/table/prediction-rows.ts';
import { placeOfRow, type StoredRow } from '../../report/table/read-rows.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { reportJson } from '../records/report.ts';
import { comparedFor, readSetAside } from '../records/set-aside.ts';
import { readBaselinePlan, readBaselineShards } from './baseline-shards.ts';
import { compareShard } from './compare-shard.ts';
import { ALL_KEYS } from './pair-inputs.ts';

/** A comparison of two runs that have ended, and the report of the other one. */
export interface ComparedRuns {
  readonly comparison: ReportComparison;
  readonly other: Report;
}

/**
 * Compares a run with another one as `report.baseline` would have, from the rows of both: on the inputs that have the same content in
 * both, by the labels of the run. Memory holds a shard of each.
 *
 * @throws `RunUnknown` if the other run has no report, `BaselineMissing` if files of one of them have expired
 */
export async function compareRuns(
  store: ObjectStore,
  run: RunParts,
  against: RunParts,
): Promise<ComparedRuns> {
  const name = toRunId(against);
  const other = await reportJson(against).read(store);
  if (other === undefined)
    throw new Condition('RunUnknown', `${name} has no report: inferdrop runs lists the runs there are`);
  const plan = await readBaselinePlan(store, run);
  const counts = comparedFor(await readSetAside(store, plan));
  const { prefix } = plan.input;
  let inputs = 0;
  const tally = createPairTally(name);
  let flips: Flip[] = [];
  for await (const { entries, rows } of readBaselineShards(store, run, ALL_KEYS)) {
    const shard = (await Array.fromAsync(rows)).flat().map(toPredictionRow);
    const folded = { entries: [...entries], rows: shard, prefix };
    inputs += folded.entries.length;
    const found = await compareShard(store, name, folded, counts);
    mergePairTally(tally, toStoredPairTally(found.tally));
    flips = topFlips([...flips, ...found.flips]);
  }
  const own = { inputs, compared: comparedInputs(tally), leavesOut: plan.setAside !== null };
  const about = { replay: false, baselineInputs: baselineInputs(other, own), flips };
  // A flip has its whole row; the report keeps a part of it.
  return { comparison: ReportComparison.parse(reportComparison(tally, comparisonOf(tally), about)), other };
}

function toPredictionRow(row: StoredRow): PredictionRow {
  return { ...row, ...placeOfRow(row), topK: row.top_k };
}
