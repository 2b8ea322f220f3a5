import type { UnknownNameAnswer } from '../../../aws/account/unknown-names.ts';
import type { Check } from '../check.ts';
import { failed, type Finding, ok } from '../finding.ts';

/** Code and text of SageMaker's answers for unknown names, which differ by call and are in no manual. */
export const unknownNames: Check = {
  name: 'unknown-names',
  asks: 'What does SageMaker answer about a job, model, endpoint and configuration that do not exist?',
  usd: null,
  run: async ({ unknownNames: ask, stack }) =>
    judgeUnknownNames(await ask(`${stack.name}-verify-no-such-name`)),
};

/** Whether AWS reports a missing resource in words that the application understands. */
export function judgeUnknownNames(calls: readonly UnknownNameAnswer[]): Finding {
  const answered = calls.map(({ call, code }) => `${call}: ${code}`).join(', ');
  const wrong = calls.filter(({ error }) => error !== undefined);
  if (wrong.length === 0) return ok(answered, 'Each answer is understood as "missing".');
  return failed(
    answered,
    `${wrong.map(({ call, error }) => `${call} is taken for a failure (${error})`).join('; ')}: steps that check ` +
      'whether something exists would fail. Report this file.',
  );
}
