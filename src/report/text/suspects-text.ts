import { percent } from '../../text/figures.ts';
import type { SuspectLabels } from '../suspect-labels.ts';

/** Bounds of the accuracy while no person has looked at the labels that are worth it. */
export function suspectsText({ accuracy, accuracyAtMost }: SuspectLabels): string {
  return (
    `accuracy is ${percent(accuracy)} by the labels, at most ${percent(accuracyAtMost)} if every one of these labels ` +
    `is wrong and the model right; only a review can tell`
  );
}
