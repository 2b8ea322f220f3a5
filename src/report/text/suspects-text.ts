import { grouped, percent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import type { SuspectLabels } from '../suspect-labels.ts';

/** Accuracy below which an upper bound says nothing of the labels: nearly every mistake would count for it. */
const MIN_ACCURACY = 0.7;
/** Median records of a class from which its average probability, by which labels are found, is known well enough. */
const MIN_RECORDS = 10;

/** Whether the mistakes worth a look say more of the labels than of a weak model or of rare classes, so that a summary names them. */
export function tellsOfLabels({ suspects, mistakes }: SuspectLabels, classes: Report['classes']): boolean {
  const records = classes.map(({ support }) => support).filter((support) => support > 0);
  const median = records.toSorted((a, b) => a - b)[Math.floor(records.length / 2)] ?? 0;
  return suspects > 0 && suspects <= mistakes / 2 && median >= MIN_RECORDS;
}

/** Bounds of the accuracy before a person has looked at the suspect labels. */
export function suspectsText(
  { accuracy, accuracyAtMost, labeled, correct }: SuspectLabels,
  sample: Report['sample'],
): string {
  if (accuracy < MIN_ACCURACY) return `accuracy is ${percent(accuracy)} by the labels`;
  const ifWrong = 'if every one of these labels is wrong and the model right; only a review can tell';
  // Shares of the records drawn would stand beside the estimate of the whole drop, and be others.
  return sample === null
    ? `accuracy is ${percent(accuracy)} by the labels, at most ${percent(accuracyAtMost)} ${ifWrong}`
    : `by the labels ${grouped(correct)} of ${grouped(labeled)} drawn are right, at most ${grouped(Math.round(accuracyAtMost * labeled))} ${ifWrong}`;
}
