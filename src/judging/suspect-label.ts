/** cleanlab's tolerance: scores that are nearer than this are equal. */
const NEAR = 1e-6;

/** A class by the index of its score, and that score. */
export type ClassScore = readonly [index: number, score: number];

/** The model's scores for a record that it assigns to a class other than its label. */
export interface DoubtedRecord {
  /** Index of the label's score. */
  readonly label: number;
  readonly labelScore: number;
  /** The best scores of all classes, best first; of equal ones the lower index comes first. */
  readonly best: readonly ClassScore[];
}

/**
 * Whether the label of a mistake is worth a look: another class has the higher score, and some other class reaches its threshold.
 * The list of all such records equals cleanlab's `find_label_issues(filter_by="confident_learning")`: confident learning
 * (Northcutt, Jiang, Chuang 2021, arXiv 1911.00068), here without its joint distribution and without a sort.
 *
 * @param thresholds of all classes, by index
 * @returns a function that returns undefined if a class left out of `best` could reach its threshold
 */
export function suspicion(thresholds: ArrayLike<number>): (record: DoubtedRecord) => boolean | undefined {
  const reaches = ([index, score]: ClassScore): boolean => score >= (thresholds[index] ?? Infinity) - NEAR;
  const easiest = Array.from({ length: thresholds.length }, (_, index) => index).sort(
    (a, b) => (thresholds[a] ?? 0) - (thresholds[b] ?? 0),
  );
  return ({ label, labelScore, best }) => {
    const others = best.filter(([index]) => index !== label);
    const [first] = others;
    if (first === undefined || !exceeds(first, label, labelScore)) return false;
    if (others.some(reaches)) return true;
    const ceiling = best.at(-1)?.[1] ?? 0;
    // At most the classes of `best` and the label are passed over.
    for (const index of easiest) {
      if (!reaches([index, ceiling])) return false;
      if (index !== label && !best.some(([kept]) => kept === index)) return undefined;
    }
    return false;
  };
}

/** Whether a class has a higher score than the label; a lead below the tolerance counts for the label. */
function exceeds([index, score]: ClassScore, label: number, labelScore: number): boolean {
  const own = labelScore + NEAR;
  return score > own || (score === own && index < label);
}

/**
 * How well a label fits, 0 … 1: the lead of its score over the best other one, moved from −1 … 1 (cleanlab's `normalized_margin`). The
 * smallest is the first to look at.
 */
export function normalizedMargin({ label, labelScore, best }: DoubtedRecord): number {
  const other = best.find(([index]) => index !== label)?.[1] ?? 0;
  return (labelScore - other + 1) / 2;
}
