import { ClassList } from '../../label/class-list.ts';
import { type ResolvedPrediction, resolvePrediction } from '../../label/resolve-prediction.ts';
import type { TruthLookup } from '../../label/truth-in-file.ts';
import { countError, countOutcome } from '../../metric/count-outcome.ts';
import { toStoredTally } from '../../metric/stored-tally.ts';
import { createTally } from '../../metric/tally.ts';
import { type OutputRecord, outputRecords } from '../../plan/output-records.ts';
import { outputShape } from '../../plan/output-shape.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { OutputError } from '../../prediction/output-error.ts';
import { topScores } from '../../prediction/top-scores.ts';
import { type PredictionRow, PredictionRows } from '../../report/prediction-rows.ts';
import type { ShardEntry } from '../records/reconciled.ts';
import type { Failure, ShardTally } from '../records/tally.ts';

/** What a shard has come to. */
interface ShardResult {
  readonly stored: ShardTally;
  readonly parquet: Uint8Array;
  /** Empty where no baseline asks for them. */
  readonly rows: readonly PredictionRow[];
}

interface ShardFold {
  add(entry: ShardEntry, output: Uint8Array | undefined): void;
  finish(shard: number): ShardResult;
}

/** Takes the outputs of one shard, one after the other, each undefined where there is none. */
export function createFold(plan: ScoringPlan, truthOf: TruthLookup): ShardFold {
  const { classes: listed, classOffset } = plan.labels;
  const classes = new ClassList(listed);
  const tally = createTally(classes, classOffset, plan.report.calibrationBins);
  const { oneRecord } = outputShape(plan);
  const records = outputRecords(plan, truthOf);
  const longest = Math.max(1, ...plan.report.topK);
  const failures: Failure[] = [];
  const file = new PredictionRows();
  const rows: PredictionRow[] = [];
  const compared = plan.report.baseline !== null;
  const addRow = (row: PredictionRow): void => {
    file.add(row);
    if (compared) rows.push(row);
  };

  const note = ({ key }: ShardEntry, recordIndex: number | null, reason: string, detail: string): void => {
    countError(tally, reason);
    failures.push({ key, recordIndex, reason, detail });
  };
  const fail = (
    entry: ShardEntry,
    recordIndex: number | null,
    { reason, detail }: Pick<Failure, 'reason' | 'detail'>,
    truth: string | undefined,
  ): void => {
    note(entry, recordIndex, reason, detail);
    addRow({
      key: entry.key,
      recordIndex: recordIndex ?? 0,
      truth: truth ?? null,
      prediction: null,
      score: null,
      topK: null,
      correct: null,
      error: reason,
    });
  };
  const failWhole = (entry: ShardEntry, reason: string, detail: string): void =>
    fail(entry, null, { reason, detail }, truthOf(entry.key, 0));
  const quotes: string[] = [];
  const quoted = (index: number): string =>
    (quotes[index] ??= JSON.stringify(nameOf(classes, classes.at(index + classOffset))));
  const topNames = (scores: ArrayLike<number>): string => {
    let list = '';
    for (const index of topScores(scores, longest)) list += (list === '' ? '' : ',') + quoted(index);
    return `[${list}]`;
  };
  const keep = (
    { key }: ShardEntry,
    recordIndex: number,
    prediction: ResolvedPrediction,
    truth: number | undefined,
    error: string | null,
  ): void => {
    addRow({
      key,
      recordIndex,
      truth: truth === undefined ? null : nameOf(classes, truth),
      prediction: nameOf(classes, prediction.predicted),
      score: prediction.score ?? null,
      topK: prediction.scores === undefined ? null : topNames(prediction.scores),
      correct: truth === undefined ? null : truth === prediction.predicted,
      error,
    });
  };
  const add = (
    entry: ShardEntry,
    recordIndex: number,
    { prediction, label, missing }: OutputRecord,
  ): void => {
    const place = oneRecord ? null : recordIndex;
    try {
      if (prediction instanceof OutputError) throw prediction;
      const resolved = resolvePrediction(prediction, classes, plan.labels);
      if (missing !== undefined) {
        // What the model said is kept, though it counts in no figure.
        note(entry, place, 'truth-missing', missing);
        keep(entry, recordIndex, resolved, undefined, 'truth-missing');
        return;
      }
      const truth = label === undefined ? undefined : classes.resolve(label);
      countOutcome(tally, { ...resolved, key: entry.key, recordIndex, truth });
      keep(entry, recordIndex, resolved, truth, null);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      fail(entry, place, { reason: error.reason, detail: error.message }, label);
    }
  };

  return {
    add: (entry, output) => {
      tally.inputs++;
      if (output === undefined) {
        failWhole(
          entry,
          entry.error ?? 'output-missing',
          entry.detail ?? (entry.error === undefined ? `${entry.output ?? 'the output'} is not there` : ''),
        );
        return;
      }
      try {
        let recordIndex = 0;
        for (const record of records(entry.key, output)) add(entry, recordIndex++, record);
      } catch (error) {
        if (!(error instanceof OutputError)) throw error;
        failWhole(entry, error.reason, error.message);
      }
    },
    finish: (shard) => ({
      stored: { schema: 1, shard, tally: toStoredTally(tally), failures },
      parquet: file.finish(),
      rows,
    }),
  };
}

function nameOf(classes: ClassList, id: number): string {
  return classes.names[id] ?? `#${id}`;
}
