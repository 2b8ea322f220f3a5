import { grouped, percent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import type { SuspectLabels } from '../suspect-labels.ts';

/** Bounds of the accuracy before a person has looked at the suspect labels. */
export function suspectsText(
  { accuracy, accuracyAtMost, labelled, correct }: SuspectLabels,
  sample: Report['sample'],
): string {
  const ifWrong = 'if every one of these labels is wrong and the model right; only a review can tell';
  // Shares of the records drawn would stand beside the estimate of the whole drop, and be others.
  return sample === null
    ? `accuracy is ${percent(accuracy)} by the labels, at most ${percent(accuracyAtMost)} ${ifWrong}`
    : `by the labels ${grouped(correct)} of ${grouped(labelled)} drawn are right, at most ${grouped(Math.round(accuracyAtMost * labelled))} ${ifWrong}`;
}
