import type { Problem } from '../problem/problem.ts';
import { problemLine } from '../problem/problem.ts';

/** A run that cannot start; the message is every problem, one a line. */
export class PlanRefused extends Error {
  override readonly name = 'PlanRefused';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join('\n'));
    this.problems = problems;
  }
}
