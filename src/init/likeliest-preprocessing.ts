import type { Preprocessing } from './preprocessings.ts';

/** Probabilities that a network gives the classes of each labeled image, prepared in one way. */
export interface PreparedAnswers {
  readonly row: Preprocessing;
  readonly probabilities: readonly (readonly number[])[];
}

/** How labels are read as outputs of the network. */
export interface OutputsOfLabels {
  /** Index of the output of each image's true class; undefined for a label that is no class. */
  readonly outputs: readonly (number | undefined)[];
  /** Whether the answers themselves suggested the order of the classes. */
  readonly isFitted: boolean;
}

/** Verdict of the labels on the ways of preparing images. */
export interface JudgedPreprocessing {
  readonly best: Preprocessing;
  /** Other ways that are not clearly worse, from the likeliest on. */
  readonly open: readonly Preprocessing[];
  /** Images that are right with the best. */
  readonly right: number;
  readonly of: number;
  /** Whether the best is right often enough to be any of them. */
  readonly fits: boolean;
  /** Whether scale and order of the channels are certain; how images are cut may be open. */
  readonly isSure: boolean;
}

/** Labeled images that are needed to be sure. */
export const LEAST_LABELED = 30;
/** Labeled images that are looked at, at most. */
export const MOST_LABELED = 120;

const LEAST_PROBABILITY = 1e-6;
/** Standard errors by which a way must be worse than the best to be out. */
const STANDARD_ERRORS = 2;
/** Share of the way from guessing to all right; an order of classes that fits the answers by its making needs more. */
const FLOOR = 0.25;
const FITTED_FLOOR = 0.5;

interface Figures {
  readonly row: Preprocessing;
  readonly logs: readonly number[];
  readonly mean: number;
  readonly right: number;
  readonly isFitted: boolean;
}

/**
 * Compares ways of preparing images by the likelihood of the labels, image by image: a wrong way makes even right answers less certain, so
 * that 60 images tell what counting right answers would not.
 *
 * @param readings ways to read the labels; the likeliest counts
 * @returns undefined if there is nothing to compare
 */
export function likeliestPreprocessing(
  answers: readonly PreparedAnswers[],
  readings: readonly OutputsOfLabels[],
): JudgedPreprocessing | undefined {
  const byReading = readings.map((reading) => answers.map((one) => figuresOf(one, reading)));
  const [best] = byReading.flat().toSorted((a, b) => b.mean - a.mean);
  const of = best?.logs.length ?? 0;
  if (best === undefined || of === 0) return undefined;
  const open = (byReading.find((figures) => figures.includes(best)) ?? [])
    .filter((one) => one !== best && !isOut(one, best))
    .toSorted((a, b) => b.mean - a.mean)
    .map(({ row }) => row);
  const classes = answers[0]?.probabilities[0]?.length ?? 0;
  const fits = (best.right / of - 1 / classes) / (1 - 1 / classes) >= (best.isFitted ? FITTED_FLOOR : FLOOR);
  const isSame = ({ scale, images }: Preprocessing): boolean =>
    scale === best.row.scale && images.order === best.row.images.order;
  return {
    best: best.row,
    open,
    right: best.right,
    of,
    fits,
    isSure: of >= LEAST_LABELED && fits && open.every(isSame),
  };
}

function figuresOf({ row, probabilities }: PreparedAnswers, { outputs, isFitted }: OutputsOfLabels): Figures {
  const logs = probabilities.map((of, image) => {
    const probability = of[outputs[image] ?? -1] ?? 0;
    // A network may answer NaN to pixels that it was not trained on.
    return Math.log(probability > LEAST_PROBABILITY ? probability : LEAST_PROBABILITY);
  });
  const right = probabilities.filter((of, image) => of.indexOf(Math.max(...of)) === outputs[image]).length;
  return { row, logs, mean: meanOf(logs), right, isFitted };
}

/** Whether the labels are clearly less likely. */
function isOut({ logs }: Figures, best: Figures): boolean {
  const differences = best.logs.map((log, image) => log - (logs[image] ?? 0));
  const mean = meanOf(differences);
  const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(squares / (differences.length - 1) / differences.length);
  return mean > STANDARD_ERRORS * error;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}
