import type { Numbers } from '../label/label-check.ts';
import { readingBy } from '../label/reading.ts';
import { classesOf } from './truth-of-names.ts';

/** An answer of the model for an input with a known class. */
export interface LabeledAnswer {
  readonly label: string;
  /** Index of the class that the model gives the highest score. */
  readonly index: number;
}

/** Class names in the order of a model's outputs, and the answers of labeled inputs that they make right. */
export interface MeasuredOrder {
  readonly classes: readonly string[];
  /** How numbers in the labels are read. */
  readonly numbers: Numbers;
  readonly right: number;
  readonly of: number;
  /** Number of classes among the labels of these answers. */
  readonly ofClasses: number;
}

/** Counts the labeled answers that an order of class names makes right; the first may be a background class without a name. */
export function measureOrder(
  classes: readonly string[],
  answers: readonly LabeledAnswer[],
  numbers: Numbers = 'names',
): MeasuredOrder {
  const offset = classes[0] === '' ? 1 : 0;
  const { resolve } = readingBy(classes.slice(offset), numbers);
  return {
    classes,
    numbers,
    right: answers.filter(({ label, index }) => resolve(label) === index - offset).length,
    of: answers.length,
    ofClasses: new Set(answers.map(({ label }) => label)).size,
  };
}

/** The labels in the orders that training programs give folders: sorted by their characters, or by number. */
export function sortedOrders(labeled: readonly { readonly label: string }[]): readonly (readonly string[])[] {
  const sorted = classesOf(labeled.map(({ label }) => label));
  const areNumbers = sorted.every((name) => /^\d{1,9}$/.test(name));
  return areNumbers ? [sorted, sorted.toSorted((a, b) => Number(a) - Number(b))] : [sorted];
}

/** Least labeled answers of an index from which its class is read. */
const LEAST_OF_INDEX = 3;

/**
 * The order that labeled answers show: the name of each index is the label that most of its answers have. Undefined unless every index has
 * three answers, and a name of its own.
 */
export function orderOfAnswers(answers: readonly LabeledAnswer[], count: number): MeasuredOrder | undefined {
  const names = Array.from({ length: count }, (_, index) => {
    const labels = answers.filter((answer) => answer.index === index).map(({ label }) => label);
    return labels.length < LEAST_OF_INDEX ? undefined : mostFrequent(labels);
  });
  const classes = names.filter((name) => name !== undefined);
  return new Set(classes).size === count ? measureOrder(classes, answers) : undefined;
}

function mostFrequent(labels: readonly string[]): string | undefined {
  const counts = Map.groupBy(labels, (label) => label);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** Lowest share of right answers that shows an order of classes on its own. */
const SHOWN = 0.7;
/** Least labeled answers for that. */
const LEAST_ANSWERS = 20;
/** Least distance of the best from the next. */
const DISTANCE = 0.3;

/** Words for the order that {@link isShown} takes, after "if it". */
export const SHOWN_WORDS =
  `makes ${100 * SHOWN}% of at least ${LEAST_ANSWERS} labeled inputs right, and ${100 * DISTANCE} points more than the ` +
  'next one';

/** Whether as many of the labeled answers are wrong as if the model were asked something else. @param least share that is right */
export function isAtOdds({ right, of }: Pick<MeasuredOrder, 'right' | 'of'>, least = SHOWN): boolean {
  return of >= LEAST_ANSWERS && right < least * of;
}

/** Whether the best of several measurements is far better than the others, so that a script may take it without a question. */
export function isShown(measured: readonly Pick<MeasuredOrder, 'right' | 'of'>[]): boolean {
  const [best = 0, next = 0] = measured
    .map(({ right, of }) => (of === 0 ? 0 : right / of))
    .toSorted((a, b) => b - a);
  return (measured[0]?.of ?? 0) >= LEAST_ANSWERS && best >= SHOWN && best - next >= DISTANCE;
}
