import { judgeConcurrency } from '../../../verify/lambda-concurrency.ts';
import type { Check } from '../check.ts';
import { parameterOf } from '../stack-resource.ts';

/** Room for the functions of a run. */
export const lambdaConcurrency: Check = {
  name: 'lambda-concurrency',
  asks: 'How many functions may run at once in this account and region?',
  usd: null,
  run: async ({ account, stack }) =>
    judgeConcurrency({
      ...(await account.lambdaConcurrency()),
      fold: Number(parameterOf(stack, 'FoldConcurrency')),
    }),
};
