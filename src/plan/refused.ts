import { Condition } from '../problem/conditions.ts';
import type { Problem } from '../problem/problem.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import type { RunParts } from '../run/run-id.ts';

type Refused = Pick<Problem, 'file' | 'field' | 'message'>;

/**
 * A run that cannot start; its problems.json lists why. The message is logged, by the function and by the state machine, so
 * it quotes no user's text.
 */
export class PlanRefused extends Condition {
  /** Lambda logs every enumerable property of an error. */
  readonly #problems: readonly Refused[];

  constructor(run: RunParts, problems: readonly Refused[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super('PlanRefused', `${count}: see ${bucketLayout.problems(run)}`);
    this.#problems = problems;
  }

  get problems(): readonly Refused[] {
    return this.#problems;
  }
}
