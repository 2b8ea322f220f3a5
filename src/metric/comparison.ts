import { type McNemar, mcnemar } from './mcnemar.ts';
import type { PairTally } from './pair-tally.ts';
import { type PairedCells, type PairedChange, pairedChange } from './paired-change.ts';

/** Change of one class's recall. */
interface ClassChange extends PairedCells {
  readonly name: string;
  readonly recall: PairedChange;
}

/** Comparison of a run with its baseline, on the records that both have. */
export interface Comparison {
  /** Over all records with a truth and a prediction in both runs; undefined without such records. */
  readonly cells: PairedCells;
  readonly accuracy: PairedChange | undefined;
  readonly test: McNemar | undefined;
  /** Classes in the order in which they were met. */
  readonly classes: readonly ClassChange[];
}

/** Computes the comparison from a merged tally of pairs. */
export function comparisonOf(tally: PairTally): Comparison {
  const cells = { bothRight: 0, lost: 0, gained: 0, bothWrong: 0 };
  const classes: ClassChange[] = [];
  for (const [name, each] of tally.classes) {
    cells.bothRight += each.bothRight;
    cells.lost += each.lost;
    cells.gained += each.gained;
    cells.bothWrong += each.bothWrong;
    const recall = pairedChange(each);
    if (recall !== undefined) classes.push({ name, ...each, recall });
  }
  const accuracy = pairedChange(cells);
  return {
    cells,
    accuracy,
    test: accuracy === undefined ? undefined : mcnemar(cells.lost, cells.gained),
    classes,
  };
}
