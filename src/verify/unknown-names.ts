import type { Finding } from './finding.ts';

/** Outcome of a call for a resource that does not exist. */
export interface UnknownName {
  readonly call: string;
  /** Undefined where the answer was understood as "missing". */
  readonly error: string | undefined;
  /** AWS's own code. */
  readonly code: string;
}

/** Whether AWS reports a missing resource in words that the application understands. */
export function judgeUnknownNames(calls: readonly UnknownName[]): Finding {
  const answered = calls.map(({ call, code }) => `${call}: ${code}`).join(', ');
  const wrong = calls.filter(({ error }) => error !== undefined);
  if (wrong.length === 0)
    return { answered, verdict: 'ok', means: 'Each answer is understood as "missing".' };
  return {
    answered,
    verdict: 'failed',
    means: `${wrong.map(({ call, error }) => `${call} is taken for a failure (${error})`).join('; ')}: steps that check whether something exists would fail. Report this file.`,
  };
}
