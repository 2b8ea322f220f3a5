import { cellAnswers } from '../../judging/cell-counts.ts';
import { cellOf, drawOf } from '../../judging/draw.ts';
import type { ShardTally } from '../records/scoring.ts';

/** Counts the answers of a shard by the cell that each input was drawn in. An input without a judged answer is missing. */
export class DrawnAnswers {
  readonly #answers = cellAnswers();
  readonly #draw: (name: string) => number;
  #input: { readonly cell: number; answer: 'right' | 'wrong' | 'missing' } | undefined;

  /** @param seed of the lottery */
  constructor(seed: string) {
    this.#draw = drawOf(seed);
  }

  begin(name: string): void {
    this.#count();
    this.#input = { cell: cellOf(this.#draw(name)), answer: 'missing' };
  }

  /** Takes the answer of the input: one of several records that is wrong makes it wrong. */
  judge(isRight: boolean): void {
    if (this.#input === undefined) return;
    if (!isRight) this.#input.answer = 'wrong';
    else if (this.#input.answer === 'missing') this.#input.answer = 'right';
  }

  finish(): NonNullable<ShardTally['draws']> {
    this.#count();
    this.#input = undefined;
    return this.#answers.store();
  }

  #count(): void {
    if (this.#input !== undefined) this.#answers.add(this.#input.cell, this.#input.answer);
  }
}
