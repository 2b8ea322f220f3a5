import * as z from 'zod';
import { DRAW_CELLS } from './draw.ts';
import type { AnswerCounts } from './sequential-accuracy.ts';

const Count = z.int().nonnegative();

/** Answers by cell of the lottery as they are stored: the cell, then right, wrong and missing ones. */
export const StoredCellAnswers = z.array(z.tuple([Count, Count, Count, Count]));
type StoredCellAnswers = z.infer<typeof StoredCellAnswers>;

type Answer = keyof AnswerCounts;

/** Counts answers by the cell that their input was drawn in; shards are merged in any order. */
export class CellAnswers {
  readonly #cells = new Map<number, Record<Answer, number>>();

  add(cell: number, answer: Answer): void {
    this.#at(cell)[answer] += 1;
  }

  merge(stored: StoredCellAnswers): void {
    for (const [cell, right, wrong, missing] of stored) {
      const counts = this.#at(cell);
      counts.right += right;
      counts.wrong += wrong;
      counts.missing += missing;
    }
  }

  /** The batches of the bets, in the order of their draws; those of the cells before `upTo`. */
  batches(upTo = DRAW_CELLS): AnswerCounts[] {
    return this.#sorted()
      .filter(([cell]) => cell < upTo)
      .map(([, counts]) => counts);
  }

  store(): StoredCellAnswers {
    return this.#sorted().map(([cell, { right, wrong, missing }]) => [cell, right, wrong, missing]);
  }

  #at(cell: number): Record<Answer, number> {
    const found = this.#cells.get(cell) ?? { right: 0, wrong: 0, missing: 0 };
    this.#cells.set(cell, found);
    return found;
  }

  #sorted(): [number, AnswerCounts][] {
    return [...this.#cells].toSorted(([a], [b]) => a - b);
  }
}
