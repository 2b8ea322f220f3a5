import { percent, plural } from './figures.ts';
import type { SuspectLabels } from './suspect-labels.ts';

/** What may be said of labels before anybody has looked at them: `12 mistakes whose label is worth a look: …`. */
export function suspectsText({ suspects, accuracy, accuracyAtMost }: SuspectLabels): string {
  return (
    `${plural(suspects, 'mistake')} whose label is worth a look: accuracy is ${percent(accuracy)} by the labels, at most ` +
    `${percent(accuracyAtMost)} if every one of these labels is wrong and the model right; only a review can tell`
  );
}
