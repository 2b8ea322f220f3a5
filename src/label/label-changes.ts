import * as z from 'zod';
import { RunId } from '../run/run-id.ts';

const Count = z.int().nonnegative();

/** How a reviewer saw a record: `blind` without the model's answer and the label, `shown` with them. */
export type ReviewedHow = 'blind' | 'shown';

/** A record that an earlier run has answered, with its labels then and now. */
export interface RelabeledRecord {
  /** Label when the earlier run answered; null if it had none. */
  readonly before: string | null;
  readonly now: string | null;
  /** Null without a usable prediction. */
  readonly predicted: string | null;
  /** The review that gave the label of now; undefined if none is known. */
  readonly review: { readonly by: string; readonly how: ReviewedHow } | undefined;
}

/** Labels that differ from earlier runs' labels of the same inputs. */
export const LabelChanges = z.object({
  compared: Count.describe('Records that an earlier run has answered, by key or by content.'),
  toward: Count.describe("Changed to the model's class: a mistake became right."),
  away: Count.describe("Changed from the model's class: a right answer became a mistake."),
  other: Count.describe("Changed between two classes that are not the model's."),
  added: Count.describe('First labels of records that had none.'),
  addedRight: Count.describe("Those of `added` that are the model's class."),
  removed: Count.describe('Labels that were taken away.'),
  removedRight: Count.describe("Those of `removed` that were the model's class."),
  seenToward: Count.describe(
    'Changes in favor of the model that neither a blind review nor an outcome explains. With them a gate that acts ' +
      'also judges by the labels before.',
  ),
  confirmed: Count.describe('Labels that a blind review looked at and left as they were.'),
  by: z
    .array(z.tuple([z.string(), Count]))
    .describe('Changes by reviewer, most first; "" if nobody is named.'),
});
export type LabelChanges = z.infer<typeof LabelChanges>;

/** The changes as a report has them. */
export const ReportedLabelChanges = LabelChanges.extend({
  since: z.array(RunId).describe('The runs with the labels that they are compared with, the oldest first.'),
  right: Count.describe('Right answers by the labels before; those that a blind review gave count as now.'),
  labeled: Count.describe('Answered records with such a label.'),
});
export type ReportedLabelChanges = z.infer<typeof ReportedLabelChanges>;

type Changed = { -readonly [Field in keyof LabelChanges]: LabelChanges[Field] };

/** Reviewers that are named; the others are counted together as "others". */
const NAMED = 20;

/** Nothing compared. */
export function noLabelChanges(): Changed {
  return {
    compared: 0,
    toward: 0,
    away: 0,
    other: 0,
    added: 0,
    addedRight: 0,
    removed: 0,
    removedRight: 0,
    seenToward: 0,
    confirmed: 0,
    by: [],
  };
}

/** Number of labels that changed. */
export function changedLabels({ toward, away, other, added, removed }: LabelChanges): number {
  return toward + away + other + added + removed;
}

/**
 * The label that a gate which acts uses when it judges a second time: the earlier label, unless a blind review gave the new one, or
 * the record's first label is an outcome that nobody could choose.
 */
export function labelBefore({ before, now, review }: RelabeledRecord, outcomes: boolean): string | null {
  return review?.how === 'blind' || (before === null && outcomes) ? now : before;
}

/** Counts one record. */
export function countRelabeled(into: Changed, record: RelabeledRecord, outcomes: boolean): void {
  const { before, now, predicted, review } = record;
  into.compared++;
  if (before === now) {
    if (review?.how === 'blind' && now !== null) into.confirmed++;
    return;
  }
  const isRight = now !== null && now === predicted;
  const wasRight = before !== null && before === predicted;
  if (before === null) {
    into.added++;
    if (isRight) into.addedRight++;
  } else if (now === null) {
    into.removed++;
    if (wasRight) into.removedRight++;
  } else into[isRight ? 'toward' : wasRight ? 'away' : 'other']++;
  // A mistake that loses its label helps the model as much as one that is called right.
  const helps = isRight || (now === null && !wasRight);
  if (helps && labelBefore(record, outcomes) !== now) into.seenToward++;
  addReviewer(into, review?.by ?? '', 1);
}

/** Adds the counts of a shard. */
export function mergeLabelChanges(into: Changed, { by, ...from }: LabelChanges): void {
  for (const field of COUNTS) into[field] += from[field];
  for (const [name, times] of by) addReviewer(into, name, times);
}

const COUNTS = [
  ...(['compared', 'toward', 'away', 'other', 'added', 'addedRight'] as const),
  ...(['removed', 'removedRight', 'seenToward', 'confirmed'] as const),
];

/** The counts as a report has them: the reviewers with the most changes by name. */
export function namedReviewers(changes: LabelChanges): LabelChanges {
  const sorted = changes.by.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const others = sorted.slice(NAMED).reduce((sum, [, times]) => sum + times, 0);
  const named = sorted.slice(0, NAMED);
  return { ...changes, by: others > 0 ? [...named, ['others', others]] : named };
}

function addReviewer({ by }: Changed, name: string, times: number): void {
  const known = by.find(([reviewer]) => reviewer === name);
  if (known === undefined) by.push([name, times]);
  else known[1] += times;
}
