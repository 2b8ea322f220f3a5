import type { Problem } from './problem.ts';

/** The problems without duplicates for a field. */
export function eachOnce(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(
    ({ field, message }, index) =>
      problems.findIndex((other) => other.field === field && other.message === message) === index,
  );
}
