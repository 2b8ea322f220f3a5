import { cellAnswers } from '../../judging/cell-counts.ts';
import { cellOf, drawOf } from '../../judging/draw.ts';
import type { AnswerCounts } from '../../judging/drawn-batches.ts';
import type { ShardTally } from '../records/scoring.ts';

/** Counts the answers of a shard, whose inputs are one record each, by the cell that each input was drawn in. */
export class DrawnAnswers {
  readonly #answers = cellAnswers();
  readonly #draw: (name: string) => number;

  /** @param seed of the lottery */
  constructor(seed: string) {
    this.#draw = drawOf(seed);
  }

  add(name: string, answer: keyof AnswerCounts): void {
    this.#answers.add(cellOf(this.#draw(name)), answer);
  }

  store(): NonNullable<ShardTally['draws']> {
    return this.#answers.store();
  }
}
