import { PlanRefused } from '../../src/plan/refused.ts';
import { problemLine } from '../../src/problem/problem.ts';

/** Gives a refusal its problems as message, one a line. */
export async function withProblemLines<T>(planning: Promise<T>): Promise<T> {
  return planning.catch((error: unknown) => {
    if (error instanceof PlanRefused) error.message = error.problems.map(problemLine).join('\n');
    throw error;
  });
}
