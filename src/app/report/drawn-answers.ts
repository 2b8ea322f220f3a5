import { cellAnswers, CellParts } from '../../judging/cell-counts.ts';
import { cellOf, drawOf } from '../../judging/draw.ts';
import type { AnswerCounts } from '../../judging/drawn-batches.ts';
import { type EarlyParts, earlyParts } from '../../plan/early-parts.ts';
import type { PlannedRounds } from '../../plan/plan.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { toSliceName } from '../../slice/slice-name.ts';
import type { ShardTally } from '../records/scoring.ts';

/** Class and slices of an input; the class is undefined if it has no label. */
interface PartsOfInput {
  readonly className: string | undefined;
  /** Values by dimension. */
  readonly values: readonly (string | null)[];
}

/** Counts the answers of a shard with one record per input, by the cell that each input was drawn in. */
export class DrawnAnswers {
  readonly #answers = cellAnswers();
  readonly #counts = new CellParts();
  readonly #draw: (name: string) => number;
  readonly #parts: EarlyParts;
  readonly #dimensions: readonly string[];

  constructor(plan: ScoringPlan & { readonly rounds: PlannedRounds }) {
    this.#draw = drawOf(plan.rounds.seed);
    this.#parts = earlyParts(plan);
    this.#dimensions = plan.report.slices.map(({ name }) => name);
  }

  /** @param of undefined for an input that isn't counted by class and slice */
  add(name: string, answer: keyof AnswerCounts, of: PartsOfInput | undefined): void {
    const cell = cellOf(this.#draw(name));
    this.#answers.add(cell, answer);
    if (of?.className === undefined || this.#parts.parts.length === 0) return;
    const kind = answer === 'right' || answer === 'missing' ? answer : 'wrong';
    const slices = this.#dimensions.map((dimension, at) => toSliceName(dimension, of.values[at] ?? null));
    for (const part of [
      this.#parts.ofClass(of.className),
      ...slices.map((slice) => this.#parts.ofSlice(slice)),
    ])
      if (part !== undefined) this.#counts.add(cell, part, kind);
  }

  store(): Pick<ShardTally, 'draws' | 'partDraws'> {
    return { draws: this.#answers.store(), partDraws: this.#counts.store() };
  }
}
