import type { Problem } from '../pipeline/problem.ts';

/** A run that cannot start; the message is every problem, one a line. */
export class PlanRefused extends Error {
  override readonly name = 'PlanRefused';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(toLine).join('\n'));
    this.problems = problems;
  }
}

/** `pipeline.json: transform.maxPayloadInMB must be "auto" or 1..100, is 500`. */
function toLine({ file, field, message }: Problem): string {
  return field === '' ? `${file} ${message}` : `${file}: ${field} ${message}`;
}
