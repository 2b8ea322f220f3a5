import { coordinate, decimal, grouped, percent } from '../../text/figures.ts';

/** Data of the curves of two classes, and the figures of one threshold. It imports only printers: browsers run it. */
export interface ThresholdData {
  readonly positives: number;
  readonly negatives: number;
  /** Thresholds, highest first, each with the true and the false positives at it. */
  readonly points: readonly (readonly [threshold: number, truePositives: number, falsePositives: number])[];
}

/** Figures of calling every record positive that reaches one threshold; a share with an empty base is undefined. */
export interface ThresholdFigures {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
  readonly precision: number | undefined;
  readonly recall: number;
  readonly falsePositiveRate: number;
  readonly f1: number;
  readonly accuracy: number;
}

/** Figures of each point of the curves. */
export function thresholdFigures({ positives, negatives, points }: ThresholdData): ThresholdFigures[] {
  return points.map(([threshold, truePositives, falsePositives]) => {
    const called = truePositives + falsePositives;
    const trueNegatives = negatives - falsePositives;
    return {
      threshold,
      truePositives,
      falsePositives,
      falseNegatives: positives - truePositives,
      trueNegatives,
      precision: called === 0 ? undefined : truePositives / called,
      recall: truePositives / positives,
      falsePositiveRate: falsePositives / negatives,
      f1: (2 * truePositives) / (called + positives),
      accuracy: (truePositives + trueNegatives) / (positives + negatives),
    };
  });
}

/** Cells of the table next to the curves: the id of its element, and its text. */
export function thresholdTexts(at: ThresholdFigures): readonly (readonly [id: string, text: string])[] {
  const share = (value: number | undefined): string => (value === undefined ? '–' : percent(value));
  return [
    ['threshold-value', decimal(at.threshold, 3)],
    ['threshold-precision', share(at.precision)],
    ['threshold-recall', share(at.recall)],
    ['threshold-fpr', share(at.falsePositiveRate)],
    ['threshold-f1', share(at.f1)],
    ['threshold-accuracy', share(at.accuracy)],
    ['threshold-tp', grouped(at.truePositives)],
    ['threshold-fn', grouped(at.falseNegatives)],
    ['threshold-fp', grouped(at.falsePositives)],
    ['threshold-tn', grouped(at.trueNegatives)],
  ];
}

/** Length of the sides of both plots in their own units; the places of their dots are shares of it. */
export const CURVE_SIDE = 300;

/** Places of a threshold's dots: in the ROC curve, and in the precision–recall curve where it has a precision. */
export function curvePlaces({ recall, falsePositiveRate, precision }: ThresholdFigures) {
  const at = (share: number): string => coordinate(share * CURVE_SIDE);
  return {
    roc: { x: at(falsePositiveRate), y: at(1 - recall) },
    precisionRecall: precision === undefined ? undefined : { x: at(recall), y: at(1 - precision) },
  };
}
