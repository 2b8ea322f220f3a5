import type { Numbers } from '../label/label-check.ts';
import { readLabels, wholeNumber } from '../label/reading.ts';
import { percent } from '../text/figures.ts';
import { isShown, type MeasuredOrder } from './class-order.ts';

/** Value of `labels.numbers` with its reason, or why it stays open. */
export type ChosenNumbers = { readonly value: Numbers; readonly reason: string } | { readonly open: string };

/**
 * Chooses how numbers in labels are read: as the model's answers show, or else as the labels of a sample show on their own.
 *
 * @param measured readings of these classes, the one that makes most answers right first
 */
export function labelNumbers(
  labels: readonly string[],
  classes: readonly string[],
  measured: readonly MeasuredOrder[],
): ChosenNumbers | undefined {
  if (labels.length === 0) return undefined;
  if (!labels.some((label) => wholeNumber(label.trim()) !== undefined))
    return { value: 'names', reason: 'no label is a number' };
  const [best] = measured;
  const rightOf = (value: Numbers): string => {
    const { right = 0, of = 0 } = measured.find(({ numbers }) => numbers === value) ?? {};
    return of === 0 ? '' : `: ${right} of ${of} labeled inputs are right with it (${percent(right / of)})`;
  };
  if (best !== undefined && measured.length > 1 && isShown(measured))
    return { value: best.numbers, reason: `as the model's answers show${rightOf(best.numbers)}` };
  const counts = new Map(labels.map((label) => [label, 1]));
  const reading = readLabels(counts, { classes, numbers: null });
  if (reading.kind !== 'refused')
    return { value: reading.numbers, reason: `as the labels tell${rightOf(reading.numbers)}` };
  const values = reading.offers.map(({ numbers, means }) => `"${numbers}" (${means})`);
  const remedy =
    values.length === 0 ? '' : `: set labels.numbers to ${values.join(' or ')}, or such drops are refused`;
  return { open: `labels ${reading.refusal}${remedy}` };
}
