import { judgeUnknownNames } from '../../../verify/unknown-names.ts';
import type { Check } from '../check.ts';

/** Code and text of SageMaker's answers for unknown names, which differ by call and are in no manual. */
export const unknownNames: Check = {
  name: 'unknown-names',
  asks: 'What does SageMaker answer about a job, model, endpoint and configuration that do not exist?',
  usd: null,
  run: async ({ unknownNames: ask, stack }) =>
    judgeUnknownNames(await ask(`${stack.name}-verify-no-such-name`)),
};
