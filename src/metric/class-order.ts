import { pairsOf } from './confusion-counts.ts';
import type { Tally } from './tally.ts';

/** Cap on the classes: the time grows with their cube, to a second at this number. */
const MAX_ORDERED_CLASSES = 500;
/** Largest chance that answers at random would fit some order as well. */
const CHANCE = 0.001;
/** Share of the errors that another order may leave, and share of all records that it must make right. */
const ERRORS_LEFT = 1 / 3;
const MADE_RIGHT = 0.1;

/** An order of the classes under which the predictions fit the labels much better. */
export interface BetterOrder {
  /** Place in `labels.classes` of the class that each output of the model seems to mean. */
  readonly places: readonly number[];
  readonly accuracy: number;
}

/**
 * The order of the listed classes that explains a confusion matrix best, if it leaves a third of the errors at most; undefined if the given
 * order is as good, or too little is known. A model that is merely bad confuses one class with several.
 */
export function betterOrder({ confusion, classes, classOffset }: Tally): BetterOrder | undefined {
  const listed = classes.listed;
  if (classOffset !== 0 || listed < 2 || listed > MAX_ORDERED_CLASSES) return undefined;
  const counts = Array.from({ length: listed }, () => new Float64Array(listed));
  let labeled = 0;
  let correct = 0;
  for (const { truth, predicted, times } of pairsOf(confusion)) {
    labeled += times;
    if (truth === predicted) correct += times;
    const row = counts[predicted];
    if (row !== undefined && truth < listed) row[truth] = times;
  }
  const places = heaviestAssignment(counts);
  const best = places.reduce((sum, truth, predicted) => sum + (counts[predicted]?.[truth] ?? 0), 0);
  const isBetter =
    best > 0 &&
    logChance(labeled, best, listed, counts) <= Math.log(CHANCE) &&
    labeled - best <= (labeled - correct) * ERRORS_LEFT &&
    best - correct >= labeled * MADE_RIGHT;
  return isBetter ? { places, accuracy: best / labeled } : undefined;
}

/**
 * Upper bound, as a logarithm, of the chance that random answers fit one of the orders so well: the number of ways to give the
 * predicted outputs classes, times Chernoff's bound of the binomial tail.
 */
function logChance(labeled: number, right: number, classes: number, counts: readonly Float64Array[]): number {
  const outputs = counts.filter((row) => row.some((times) => times > 0)).length;
  let ways = 0;
  for (let taken = 0; taken < outputs; taken++) ways += Math.log(classes - taken);
  const share = right / labeled;
  if (share * classes <= 1) return ways;
  const wrong = share === 1 ? 0 : (1 - share) * Math.log(((1 - share) * classes) / (classes - 1));
  return ways - labeled * (share * Math.log(share * classes) + wrong);
}

/**
 * The column of each row of a square matrix, each column once, with the largest sum: the Hungarian algorithm with potentials.
 *
 * @see Kuhn 1955; Jonker and Volgenant 1987
 */
function heaviestAssignment(weights: readonly Float64Array[]): readonly number[] {
  const n = weights.length;
  const [ofRow, ofColumn] = [new Float64Array(n + 1), new Float64Array(n + 1)];
  const rowOf = new Int32Array(n + 1);
  const before = new Int32Array(n + 1);
  for (let row = 1; row <= n; row++) {
    rowOf[0] = row;
    let column = 0;
    const least = new Float64Array(n + 1).fill(Infinity);
    const used = new Uint8Array(n + 1);
    do {
      used[column] = 1;
      const from = rowOf[column] ?? 0;
      let delta = Infinity;
      let next = 0;
      for (let one = 1; one <= n; one++) {
        if (used[one] === 1) continue;
        const cost = -(weights[from - 1]?.[one - 1] ?? 0) - (ofRow[from] ?? 0) - (ofColumn[one] ?? 0);
        if (cost < (least[one] ?? 0)) {
          least[one] = cost;
          before[one] = column;
        }
        if ((least[one] ?? 0) < delta) {
          delta = least[one] ?? 0;
          next = one;
        }
      }
      for (let one = 0; one <= n; one++) {
        if (used[one] === 1) {
          const held = rowOf[one] ?? 0;
          ofRow[held] = (ofRow[held] ?? 0) + delta;
          ofColumn[one] = (ofColumn[one] ?? 0) - delta;
        } else least[one] = (least[one] ?? 0) - delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const back = before[column] ?? 0;
      rowOf[column] = rowOf[back] ?? 0;
      column = back;
    }
  }
  const columns = Array.from({ length: n }, () => 0);
  for (let column = 1; column <= n; column++) columns[(rowOf[column] ?? 1) - 1] = column - 1;
  return columns;
}
