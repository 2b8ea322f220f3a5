import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { answerOf } from '../../input/file-place.ts';
import {
  countRelabeled,
  labelBefore,
  type LabelChanges,
  noLabelChanges,
  type RelabeledRecord,
} from '../../label/label-changes.ts';
import { cellOf } from '../../label/reading.ts';
import { type BlindReview, countReviewed, noBlindReview } from '../../metric/blind-review.ts';
import { predictedBy } from '../../plan/predicted-by.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { placeOfRow } from '../../report/table/read-rows.ts';
import { settle } from '../../review/reading.ts';
import { taskId } from '../../review/review-task.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { reviewsJson } from '../records/reviews.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';
import { type FoldedShard, groupByInput, takeRow } from './compare-shard.ts';
import type { OpenedTruth } from './open-truth.ts';
import { pairInputs } from './pair-inputs.ts';

/** The labels of a shard next to those that earlier runs had for the same inputs. */
export interface ComparedLabels {
  readonly changes: LabelChanges;
  /** Blind reviews of these predictions. */
  readonly review: BlindReview;
  /** The truth that a gate which acts uses when it judges a second time; undefined if it's today's. */
  readonly before: OpenedTruth | undefined;
}

/**
 * Compares the labels of a shard with those that its inputs had when an earlier run answered them: the first of
 * `labels.since` that has them, so that a label that was changed two runs ago is still a changed one.
 */
export async function compareLabels(
  store: ObjectStore,
  { labels, predictions }: Pick<ScoringPlan, 'labels' | 'predictions'>,
  truth: OpenedTruth,
  { entries, rows, prefix }: FoldedShard,
): Promise<ComparedLabels> {
  const changes = noLabelChanges();
  const reviewed = noBlindReview();
  const now = groupByInput(rows);
  const before = new Map<string, Map<number, string | null>>();
  const done = new Set<string>();
  for (const name of labels.since) {
    const run = RunParts.parse(name);
    const { nameOf, reviewOf, readingOf, maker } = await openBefore(store, run, labels.classes);
    const left = entries.filter((entry) => !done.has(entry.name));
    for await (const { pairs, rows: earlier } of pairInputs(store, run, { entries: left, prefix })) {
      for (const here of pairs.values()) done.add(here.name);
      for await (const group of earlier)
        for (const row of group) {
          const { name: then, answer } = answerOf(placeOfRow(row));
          const here = pairs.get(then)?.name;
          const record = here === undefined ? undefined : takeRow(now, here, answer);
          if (here === undefined || record === undefined) continue;
          const [was, is] = [nameOf(row.truth), record.truth];
          const task = taskId(row.key, row.record_index);
          const review = reviewOf(task, was, is);
          // A draw from one model's mistakes says nothing about another's.
          if (maker === predictions && was !== null && record.prediction !== null)
            countReviewed(reviewed, { before: was, predicted: record.prediction, ...readingOf(task, was) });
          const found = { before: was, now: is, predicted: record.prediction, review };
          countRelabeled(changes, found, labels.outcomes);
          const label = labelBefore(found, labels.outcomes);
          if (label !== is)
            before.set(here, (before.get(here) ?? new Map<number, string | null>()).set(answer, label));
        }
    }
  }
  if (before.size === 0) return { changes, review: reviewed, before: undefined };
  const lookUp: OpenedTruth['lookUp'] = (entry, index) => {
    const name = before.get(entry.name)?.get(index);
    if (name === undefined) return truth.lookUp(entry, index);
    return name === null ? undefined : cellOf(name, labels.classes, labels.reading?.numbers ?? 'names');
  };
  return { changes, review: reviewed, before: { ...truth, lookUp } };
}

/** Labels and reviews of an earlier run, in the classes of now. */
async function openBefore(
  store: ObjectStore,
  run: RunParts,
  classes: readonly string[],
): Promise<{
  nameOf(label: string | null): string | null;
  reviewOf(task: string, was: string | null, is: string | null): RelabeledRecord['review'];
  /** How far the blind review of a record is. */
  readingOf(
    task: string,
    was: string,
  ): { readonly reviewed: string | undefined; readonly isWaiting: boolean; readonly isDrawn: boolean };
  /** The run that made its predictions. */
  readonly maker: string;
}> {
  const plan = await scoringPlanJson(run).require(store);
  const maker = predictedBy(run, plan);
  const reviews = await reviewsJson(maker).read(store);
  const drawn = new Set(reviews?.drawn);
  const readings = Map.groupBy(reviews?.readings ?? [], ({ id }) => id);
  const known = new Set(classes);
  // A class that has another name by now, and no other label.
  const renamed = new Map(
    plan.labels.classes.map((name, index) => [name, known.has(name) ? name : classes[index]]),
  );
  const nameOf = (label: string): string => renamed.get(label) ?? label;
  return {
    nameOf: (label) => (label === null ? null : nameOf(label)),
    readingOf(task, was) {
      const settled = settle(readings.get(task) ?? [], was);
      const isBlind = settled !== undefined && settled !== 'second' && settled.how === 'blind';
      return {
        reviewed: isBlind && settled.label !== null ? nameOf(settled.label) : undefined,
        isWaiting: settled === 'second',
        isDrawn: drawn.has(task),
      };
    },
    maker: toRunId(maker),
    reviewOf(task, was, is) {
      const settled = settle(readings.get(task) ?? [], was);
      return settled !== 'second' && settled?.label === is ? settled : undefined;
    },
  };
}
