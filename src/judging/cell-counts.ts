import * as z from 'zod';
import { DRAW_CELLS } from './draw.ts';
import type { AnswerCounts, DrawnBatches, PairCounts, PartCounts } from './drawn-batches.ts';

const Count = z.int().nonnegative();

/** Counts by cell of the lottery as they are stored: the cell, then the count of each kind. */
function storedCells(kinds: readonly string[]): z.ZodType<number[][], number[][]> {
  return z.array(z.array(Count).length(1 + kinds.length));
}

const ANSWERS = [
  'right',
  'wrong',
  'unanswered',
  'lost',
  'unlabeled',
  'missing',
] as const satisfies readonly (keyof AnswerCounts)[];
const PAIRS = ['gained', 'lost', 'same', 'missing'] as const satisfies readonly (keyof PairCounts)[];

/** Answers by cell as they are stored, in the order right, wrong, unanswered, lost, unlabeled, missing. */
export const StoredCellAnswers = storedCells(ANSWERS);
/** Pairs by cell as they are stored, in the order gained, lost, same, missing. */
export const StoredCellPairs = storedCells(PAIRS);

/** Classes and slices by cell as they are stored: the cell, the part, and its right, wrong and missing inputs. */
export const StoredCellParts = z.array(z.array(Count).length(5));

/** Counts inputs by the cell that they were drawn in and by kind; shards are merged in any order. */
export class CellCounts<Kind extends string> {
  readonly #kinds: readonly Kind[];
  readonly #cells = new Map<number, Record<Kind, number>>();
  readonly #empty: Readonly<Record<Kind, number>>;

  constructor(empty: Readonly<Record<Kind, number>>, kinds: readonly Kind[]) {
    this.#empty = empty;
    this.#kinds = kinds;
  }

  add(cell: number, kind: Kind): void {
    this.#at(cell)[kind] += 1;
  }

  merge(stored: readonly (readonly number[])[]): void {
    for (const [cell = 0, ...counts] of stored) {
      const into = this.#at(cell);
      for (const [at, kind] of this.#kinds.entries()) into[kind] += counts[at] ?? 0;
    }
  }

  /** The batches of the bets in the order of their draws, for the cells before `upTo`. */
  batches(upTo = DRAW_CELLS): Readonly<Record<Kind, number>>[] {
    return this.cells(upTo).map((cell) => this.#at(cell));
  }

  at(cell: number): Readonly<Record<Kind, number>> {
    return this.#cells.get(cell) ?? this.#empty;
  }

  /** The cells before `upTo` that have inputs, in the order of their draws. */
  cells(upTo = DRAW_CELLS): number[] {
    return this.#sorted()
      .map(([cell]) => cell)
      .filter((cell) => cell < upTo);
  }

  store(): number[][] {
    return this.#sorted().map(([cell, counts]) => [cell, ...this.#kinds.map((kind) => counts[kind])]);
  }

  #at(cell: number): Record<Kind, number> {
    const found = this.#cells.get(cell) ?? { ...this.#empty };
    this.#cells.set(cell, found);
    return found;
  }

  #sorted(): [number, Record<Kind, number>][] {
    return [...this.#cells].toSorted(([a], [b]) => a - b);
  }
}

/** Counts of answers by cell, empty. */
export function cellAnswers(): CellCounts<keyof AnswerCounts> {
  return new CellCounts({ right: 0, wrong: 0, unanswered: 0, lost: 0, unlabeled: 0, missing: 0 }, ANSWERS);
}

/** Counts of the judgments of two runs by cell, empty. */
export function cellPairs(): CellCounts<keyof PairCounts> {
  return new CellCounts({ gained: 0, lost: 0, same: 0, missing: 0 }, PAIRS);
}

type OfPart = Exclude<keyof PartCounts, 'others'>;

/** Counts of the classes and slices that have a bound, by part and cell. */
export class CellParts {
  readonly #parts = new Map<number, CellCounts<OfPart>>();

  add(cell: number, part: number, kind: OfPart): void {
    this.#of(part).add(cell, kind);
  }

  merge(stored: readonly (readonly number[])[]): void {
    for (const [cell = 0, part = 0, ...counts] of stored) this.#of(part).merge([[cell, ...counts]]);
  }

  store(): number[][] {
    return [...this.#parts]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([part, counts]) => counts.store().map(([cell = 0, ...each]) => [cell, part, ...each]));
  }

  /** Counts of a part in a cell. */
  at(part: number, cell: number): Readonly<Record<OfPart, number>> {
    return this.#of(part).at(cell);
  }

  #of(part: number): CellCounts<OfPart> {
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const counts = new CellCounts({ right: 0, wrong: 0, missing: 0 }, ['right', 'wrong', 'missing']);
    this.#parts.set(part, counts);
    return counts;
  }
}

/** Drawn inputs of a run by cell: what its answers were worth, by class and slice, and against the baseline. */
export class DrawnInputs {
  readonly #answers = cellAnswers();
  readonly #parts = new CellParts();
  readonly #pairs = cellPairs();

  merge({
    draws = [],
    partDraws = [],
    pairedDraws = [],
  }: {
    readonly draws?: number[][] | undefined;
    readonly partDraws?: number[][] | undefined;
    readonly pairedDraws?: number[][] | undefined;
  }): void {
    this.#answers.merge(draws);
    this.#parts.merge(partDraws);
    this.#pairs.merge(pairedDraws);
  }

  /** The batches of the bets, for the cells before `upTo`. @param parts how many classes and slices have a bound */
  batches(parts: number, upTo?: number): DrawnBatches {
    const cells = this.#answers.cells(upTo);
    const ofPart = (part: number): PartCounts[] =>
      cells.map((cell) => {
        const counts = this.#parts.at(part, cell);
        const { right, wrong, missing } = counts;
        const all = Object.values(this.#answers.at(cell)).reduce((sum, times) => sum + times, 0);
        return { ...counts, others: all - right - wrong - missing };
      });
    return {
      answers: this.#answers.batches(upTo),
      parts: Array.from({ length: parts }, (_, part) => ofPart(part)),
      pairs: this.#pairs.batches(upTo),
    };
  }
}
