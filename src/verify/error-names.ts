import type { Finding } from './finding.ts';

/** An error that an execution met, and how often. */
export interface SeenError {
  readonly name: string;
  readonly count: number;
  readonly where: string;
}

/** Step Functions and Lambda report their own conditions with these prefixes; the names after them are not documented. */
const OF_SERVICES = /^(States|Lambda|Sandbox|Runtime|StepFunctions|SageMaker|S3)\./;

/** Whether the state machines know the names under which AWS reported its own errors. */
export function judgeErrorNames(
  seen: readonly SeenError[],
  known: ReadonlySet<string>,
  executions: number,
): Finding {
  const services = seen.filter(({ name }) => OF_SERVICES.test(name));
  const unknown = services.filter(({ name }) => !known.has(name));
  const list = seen.map(({ name, count, where }) => `${name} (${count}, ${where})`).join(', ');
  const answered = `${executions} executions that failed or timed out; ${list === '' ? 'no error in them' : list}`;
  if (unknown.length > 0)
    return {
      answered,
      verdict: 'warning',
      means: `The state machines retry by name, and do not name ${unknown.map(({ name }) => name).join(', ')}: such a step is not tried again. Report this file.`,
    };
  return {
    answered,
    verdict: 'ok',
    means:
      services.length === 0
        ? 'No step has met a time-out, a lack of memory or a throttled function yet, so the names that AWS gives them are unconfirmed.'
        : 'Every error of AWS that a step has met is named in the state machines.',
  };
}
