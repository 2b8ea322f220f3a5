import { readFile } from 'node:fs/promises';
import type { Tensor } from '@inferdrop/savedmodel/servable-model';
import {
  type LabeledAnswer,
  type MeasuredOrder,
  measureOrder,
  orderOfAnswers,
  sortedOrders,
} from '../../init/class-order.ts';
import { type KnownClasses, truthsOfNames } from '../../init/truth-of-names.ts';
import { wholeNumber } from '../../label/reading.ts';
import { drawn } from '../../text/name-draw.ts';
import type { FolderInputs } from './folder-inputs.ts';
import { type LabeledInput, type Measurable, measureModel } from './measure-model.ts';

/** Labeled inputs that are predicted on this machine: enough for three of each class, within limits. */
const PER_CLASS = 12;
const MOST = 500;

/** Label of each file, from the label file next to them or from their names; empty if these give no reading, or several. */
export function labelsOfFiles(
  { files, labelFile }: FolderInputs,
  known: KnownClasses,
): readonly (string | undefined)[] {
  if (labelFile !== undefined) return files.map(({ relative }) => labelFile.byFile.get(relative));
  const [found, ...others] = truthsOfNames(
    files.map(({ relative }) => relative),
    known,
  );
  return found === undefined || others.length > 0 ? [] : found.labels;
}

/** Draws the labeled inputs that are predicted here, equally many of each class as far as there are. */
export function measuredInputs(
  labeled: readonly LabeledInput[],
  classes: number,
  perClass = PER_CLASS,
): LabeledInput[] {
  return drawn(
    labeled,
    Math.min(MOST, perClass * classes),
    ({ name }) => name,
    ({ label }) => label,
  );
}

/** Images of a folder with these labels of its files. */
export function labeledImages(
  { files }: FolderInputs,
  labels: readonly (string | undefined)[],
): LabeledInput[] {
  return files.flatMap(({ file, relative }, at) => {
    const label = labels[at];
    const read = async (): Promise<Tensor> => ({ dtype: 'string', shape: [1], data: [await readFile(file)] });
    return label === undefined ? [] : [{ name: relative, label, read }];
  });
}

/** Orders of class names, measured. */
export interface OrderFound {
  readonly answers: readonly LabeledAnswer[];
  readonly areProbabilities: boolean | undefined;
  readonly unanswered: readonly string[];
  /** The order that makes most answers right. */
  readonly best: MeasuredOrder | undefined;
  /** Other orders. */
  readonly others: readonly MeasuredOrder[];
}

/**
 * Lets the model answer labeled inputs, and compares readings of their numbers and orders of the classes: those that are given,
 * the labels sorted as Keras and torchvision sort folders, sorted by number, and the order that the answers show.
 */
export async function orderOf(
  model: Measurable,
  inputs: readonly LabeledInput[],
  given: readonly (readonly string[])[],
): Promise<OrderFound> {
  const { answers, areProbabilities, unanswered } = await measureModel(model, inputs);
  const shown = orderOfAnswers(answers, model.classes)?.classes;
  const orders = (
    given.length > 0 ? [...given] : [...sortedOrders(answers), ...(shown === undefined ? [] : [shown])]
  ).filter((order) => order.length === model.classes);
  const distinct = [...new Map(orders.map((order) => [JSON.stringify(order), order])).values()];
  // Labels that become the names of the classes are read as names.
  const isOpen = given.length > 0 && answers.some(({ label }) => wholeNumber(label.trim()) !== undefined);
  const kinds = isOpen ? (['names', 'index', 'index-from-1'] as const) : (['names'] as const);
  const [best, ...others] = distinct
    .flatMap((order) => kinds.map((numbers) => measureOrder(order, answers, numbers)))
    .toSorted((a, b) => b.right - a.right);
  return { answers, areProbabilities, unanswered, best, others };
}
