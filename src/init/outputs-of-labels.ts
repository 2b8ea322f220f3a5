import { NUMBERS, type Numbers } from '../label/label-check.ts';
import { readingBy, wholeNumber } from '../label/reading.ts';
import { orderOfAnswers, sortedOrders } from './class-order.ts';
import type { OutputsOfLabels, PreparedAnswers } from './likeliest-preprocessing.ts';

/**
 * Ways to read labels as outputs of a network: by its classes, or if nothing names them by the labels in sorted order, and in each order
 * that the answers show.
 *
 * @param names the classes in the order of the outputs, perhaps without a background class before them
 */
export function readingsOf(
  answers: readonly PreparedAnswers[],
  labels: readonly string[],
  names: readonly string[] | undefined,
): readonly OutputsOfLabels[] {
  const classes = answers[0]?.probabilities[0]?.length ?? 0;
  const outputsBy = (order: readonly string[], numbers: Numbers): OutputsOfLabels['outputs'] => {
    const { resolve } = readingBy(order, numbers);
    const offset = classes === order.length + 1 ? 1 : 0;
    return labels.map((label) => {
      const index = resolve(label);
      return index === undefined ? undefined : index + offset;
    });
  };
  if (names !== undefined) {
    const areNumbers = labels.some((label) => wholeNumber(label.trim()) !== undefined);
    const kinds = areNumbers ? NUMBERS : (['names'] as const);
    return kinds.map((numbers) => ({ outputs: outputsBy(names, numbers), isFitted: false }));
  }
  const sorted = sortedOrders(labels.map((label) => ({ label })));
  const shown = answers.flatMap(({ probabilities }) => {
    const labeled = labels.map((label, at) => {
      const of = probabilities[at] ?? [];
      return { label, index: of.indexOf(Math.max(...of)) };
    });
    const order = orderOfAnswers(labeled, classes)?.classes;
    return order === undefined ? [] : [order];
  });
  const distinct = new Map([...shown, ...sorted].map((order) => [JSON.stringify(order), order]));
  return [...distinct.values()]
    .filter((order) => order.length === classes)
    .map((order) => ({ outputs: outputsBy(order, 'names'), isFitted: !sorted.includes(order) }));
}
