import { percent } from '../../text/figures.ts';
import type { SuspectLabels } from '../suspect-labels.ts';

/** Bounds of the accuracy before a person has looked at the suspect labels. */
export function suspectsText({ accuracy, accuracyAtMost }: SuspectLabels): string {
  return (
    `accuracy is ${percent(accuracy)} by the labels, at most ${percent(accuracyAtMost)} if every one of these labels ` +
    `is wrong and the model right; only a review can tell`
  );
}
