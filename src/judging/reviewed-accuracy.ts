import { type Interval, wilsonInterval } from '../metric/wilson-interval.ts';

/** Least number of reviewed records: fewer say too little about the others. */
const MIN_REVIEWED = 50;

/** Result of a person's review of suspect labels that were drawn at random. */
export interface LabelReview {
  /** Records with a truth, and those of them that are right by the labels as they are. */
  readonly labelled: number;
  readonly correct: number;
  readonly suspects: number;
  readonly reviewed: number;
  /** Reviewed records whose label is wrong and whose prediction is right. */
  readonly confirmed: number;
}

/**
 * 95 % interval of the accuracy with the suspect labels corrected: the suspects times Wilson's interval of the confirmed share, whose
 * trials are raised by the finite-population correction. Wrong labels that are not suspects stay as they are. Undefined if fewer than 50
 * suspects were reviewed, and not all.
 */
export function accuracyAfterReview(review: LabelReview): Interval | undefined {
  const { labelled, correct, suspects, reviewed, confirmed } = review;
  if (labelled === 0 || reviewed < Math.min(MIN_REVIEWED, suspects)) return undefined;
  const after = (mended: number): number => (correct + mended) / labelled;
  if (reviewed >= suspects) return { low: after(confirmed), high: after(confirmed) };
  const trials = (reviewed * (suspects - 1)) / (suspects - reviewed);
  const share = wilsonInterval((confirmed / reviewed) * trials, trials);
  return share && { low: after(suspects * share.low), high: after(suspects * share.high) };
}
