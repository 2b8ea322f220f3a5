import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { answerOf } from '../../input/file-place.ts';
import { outputShape } from '../../plan/output-shape.ts';
import { predictedBy } from '../../plan/predicted-by.ts';
import { Condition } from '../../problem/conditions.ts';
import { type Choice, TaskChooser } from '../../review/choose-tasks.ts';
import { settle } from '../../review/reading.ts';
import { type ReviewSubject, taskId } from '../../review/review-task.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { seedOf } from '../plan/read/draw.ts';
import { frozenJson } from '../records/drop.ts';
import { readReconciled, type ReconciledEntry } from '../records/reconciled.ts';
import { reportJson } from '../records/report.ts';
import { reviewsJson } from '../records/reviews.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';
import { type RunRecord, runRecords } from './run-records.ts';

/** More than people look at in one go. */
const MAX_RECORDS = 10_000;

/** The records that a review is of. */
export interface ChosenRecords {
  readonly subject: ReviewSubject;
  /** In the order of the draw, each with its input. */
  readonly records: readonly (RunRecord & { readonly input: ReconciledEntry })[];
  /** Tasks of those that were drawn by lot from all mistakes or from all right answers. */
  readonly drawn: ReadonlySet<string>;
  /** Whether an input is one record, so that a picture of it can be shown. */
  readonly oneRecord: boolean;
  /** The run that made the predictions; it also has the reviews of them. */
  readonly predictedBy: RunParts;
}

/**
 * Chooses records of a run for a review: those that no review has settled. In a blind one a record that a first person
 * would change comes to a second person.
 *
 * @throws `NothingToReview`
 */
export async function chooseRecords(
  store: ObjectStore,
  run: RunParts,
  choice: Choice,
): Promise<ChosenRecords> {
  const name = toRunId(run);
  const [plan, report] = await Promise.all([scoringPlanJson(run).read(store), reportJson(run).read(store)]);
  if (plan === undefined || report === undefined)
    throw new Condition(
      'NothingToReview',
      `${name} has no report: it is under way, was refused, or has expired. inferdrop runs lists the runs there are`,
    );
  if (choice.suspect && report.suspectLabels === null)
    throw new Condition(
      'NothingToReview',
      `${name} has no suspect labels, since its answers have no probability of each class: --wrong, --unsure or ` +
        '--random choose without them',
    );
  const predictor = predictedBy(run, plan);
  const [frozen, reviews] = await Promise.all([
    frozenJson(predictor).require(store),
    reviewsJson(predictor).read(store),
  ]);
  const readings = Map.groupBy(reviews?.readings ?? [], ({ id }) => id);
  const chooser = new TaskChooser<RunRecord>(seedOf(predictor, frozen), choice);
  for await (const records of runRecords(store, run))
    for (const record of records) {
      const settled = settle(readings.get(taskId(record.key, record.recordIndex)) ?? [], record.label);
      if (settled === 'second' && choice.controls) chooser.addSecond(record);
      else if (settled === undefined || settled === 'second') chooser.add(record);
    }
  const chosen = chooser.chosen();
  if (chosen.length === 0)
    throw new Condition(
      'NothingToReview',
      `${name} has no records of this choice that are not reviewed yet: nothing was written`,
    );
  if (chosen.length > MAX_RECORDS)
    throw new Condition(
      'NothingToReview',
      `${name} has ${chosen.length} records of this choice, more than ${MAX_RECORDS}: --random ${MAX_RECORDS} draws some of them`,
    );
  const wanted = new Set(chosen.map((record) => answerOf(record).name));
  const inputs = new Map<string, ReconciledEntry>();
  for await (const entry of readReconciled(store, run))
    if (wanted.has(entry.name)) inputs.set(entry.name, entry);
  return {
    subject: { run: name, classes: plan.labels.classes },
    records: chosen.flatMap((record) => {
      const input = inputs.get(answerOf(record).name);
      return input === undefined ? [] : [{ ...record, input }];
    }),
    drawn: new Set(
      chosen
        .filter((record) => chooser.isDrawn(record))
        .map(({ key, recordIndex }) => taskId(key, recordIndex)),
    ),
    oneRecord: outputShape(plan).oneRecord,
    predictedBy: predictor,
  };
}
