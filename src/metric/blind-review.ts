import * as z from 'zod';
import { exactLower, exactUpper } from './exact-bound.ts';

const Count = z.int().nonnegative();
const Share = z.number().min(0).max(1);

/** Mistakes by the labels at the prediction, or right answers, and what two blind readers said of some of them. */
const ReviewedKind = z.object({
  count: Count,
  read: Count.describe('Those with a finished blind review.'),
  turned: Count.describe('Mistakes that the review calls right, or right answers that it calls wrong.'),
  waiting: Count.describe('Those that wait for a second reader.'),
  chosen: Count.describe('Part of `read` and `waiting` not drawn by lot, such as suspect labels.'),
});
type ReviewedKind = z.infer<typeof ReviewedKind>;

/** A blind review of a run's answers. */
export const BlindReview = z.object({ mistakes: ReviewedKind, right: ReviewedKind });
export type BlindReview = z.infer<typeof BlindReview>;

/** Its counts as a report has them. */
export const ReportedReview = BlindReview.extend({
  confidence: Share,
  low: Share.describe('Lower end of the accuracy by the reviewers, exact.'),
  high: Share,
});
export type ReportedReview = z.infer<typeof ReportedReview>;

type Counts = { -readonly [Kind in keyof BlindReview]: { -readonly [Field in keyof ReviewedKind]: number } };

const CONFIDENCE = 0.95;

/** Nothing reviewed. */
export function noBlindReview(): Counts {
  const none = { count: 0, read: 0, turned: 0, waiting: 0, chosen: 0 };
  return { mistakes: { ...none }, right: { ...none } };
}

/** A record with a label and an answer. */
interface ReviewedRecord {
  /** Label when the model answered. */
  readonly before: string;
  readonly predicted: string;
  /** Label by a blind review that is done. */
  readonly reviewed: string | undefined;
  readonly isWaiting: boolean;
  readonly isDrawn: boolean;
}

/** Counts one record. */
export function countReviewed(
  into: Counts,
  { before, predicted, reviewed, isWaiting, isDrawn }: ReviewedRecord,
): void {
  const isRight = before === predicted;
  const kind = into[isRight ? 'right' : 'mistakes'];
  kind.count++;
  if (reviewed !== undefined) {
    kind.read++;
    if ((reviewed === predicted) !== isRight) kind.turned++;
  } else if (isWaiting) kind.waiting++;
  else return;
  if (!isDrawn) kind.chosen++;
}

/** Adds the counts of a shard. */
export function mergeBlindReview(into: Counts, from: BlindReview): void {
  for (const kind of ['mistakes', 'right'] as const)
    for (const field of ['count', 'read', 'turned', 'waiting', 'chosen'] as const)
      into[kind][field] += from[kind][field];
}

/**
 * Accuracy by the reviewers, between exact limits (Clopper–Pearson for mistakes and right answers, each with half of the error). A
 * record that waits for a second reader counts against the model at the lower limit and for it at the upper one. Undefined if
 * mistakes or right answers were not reviewed, or if some of them were chosen instead of drawn.
 */
export function reportedReview({ mistakes, right }: BlindReview): ReportedReview | undefined {
  const total = mistakes.count + right.count;
  const [gained, lost] = [turnedShare(mistakes), turnedShare(right)];
  if (total === 0 || gained === undefined || lost === undefined) return undefined;
  const accuracy = (gain: number, loss: number): number =>
    (mistakes.count * gain + right.count * (1 - loss)) / total;
  return {
    mistakes,
    right,
    confidence: CONFIDENCE,
    low: accuracy(gained.low, lost.high),
    high: accuracy(gained.high, lost.low),
  };
}

/** Bounds of the share of all records of a kind that a review would turn. */
function turnedShare({ count, read, turned, waiting, chosen }: ReviewedKind): Ends | undefined {
  const seen = read + waiting;
  if (seen === count)
    return count === 0 ? { low: 0, high: 0 } : { low: turned / count, high: (turned + waiting) / count };
  if (seen === 0 || chosen > 0) return undefined;
  // Two kinds with two limits each share the error.
  const one = 1 - (1 - CONFIDENCE) / 4;
  return { low: exactLower(turned, seen, one), high: exactUpper(turned + waiting, seen, one) };
}

interface Ends {
  readonly low: number;
  readonly high: number;
}
