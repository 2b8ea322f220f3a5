import * as z from 'zod';
import { Exemplar } from '../metric/exemplar.ts';
import { compareByteOrder } from '../text/byte-order.ts';

const Count = z.int().nonnegative();
const Share = z.number().min(0).max(1);

/** A mistake with a label worth a look. */
export const SuspectLabel = z.object({
  ...Exemplar.shape,
  margin: Share.describe(
    'Lead of the label’s probability over the best other one, moved from −1 … 1 to 0 … 1: the least first.',
  ),
});
export type SuspectLabel = z.infer<typeof SuspectLabel>;

/** The mistakes with a label worth a look, and the highest accuracy that they allow. */
export const SuspectLabels = z.object({
  labeled: Count.describe('Records with a prediction and a truth, without those that were trained on.'),
  correct: Count,
  leftOut: Count.describe('Inputs that were trained on or are copies of others, which are not looked at.'),
  mistakes: Count.describe('Mistakes with a probability of each class: those that were looked at.'),
  suspects: Count.describe('Mistakes with a label worth a look; suspect-labels.csv lists up to 10,000.'),
  undecided: Count.describe('Mistakes that could not be decided without reading too many outputs again.'),
  accuracy: Share.describe('By the labels as they are.'),
  accuracyAtMost: Share.describe(
    'If every suspect label is wrong and the model right. Only a review can tell.',
  ),
  first: z.array(SuspectLabel).describe('The first of suspect-labels.csv.'),
});
export type SuspectLabels = z.infer<typeof SuspectLabels>;

/** Order of the list: the label that is farthest behind comes first. */
export function compareSuspects(one: SuspectLabel, other: SuspectLabel): number {
  return (
    one.margin - other.margin || compareByteOrder(one.key, other.key) || one.recordIndex - other.recordIndex
  );
}
