import { type AccountConcurrency, reservationAdvice } from '../../../deployment/concurrency-problems.ts';
import { grouped } from '../../../text/figures.ts';
import type { Check } from '../check.ts';
import { failed, type Finding, ok, warning } from '../finding.ts';
import { parameterOf } from '../verified-stack.ts';

/** Room for the functions of a run. */
export const lambdaConcurrency: Check = {
  name: 'lambda-concurrency',
  asks: 'How many functions may run at once in this account and region?',
  usd: null,
  run: async ({ account, stack }) => {
    const isReserved = parameterOf(stack, 'ReserveConcurrency') === 'yes';
    const taken = ['FoldConcurrency', ...(isReserved ? [] : ['PredictConcurrency'])];
    const most = Math.max(...taken.map((name) => Number(parameterOf(stack, name))));
    const { parameters } = stack.description;
    const concurrency = await account.lambdaConcurrency();
    return judgeConcurrency(concurrency, most, reservationAdvice(parameters, parameters, concurrency));
  },
};

/**
 * Whether the account's Lambda concurrency suffices for runs and predictions.
 *
 * @param most the most functions that one run uses at once of those that are not reserved
 * @param advice why functions should be reserved for runs, if they should
 */
export function judgeConcurrency(
  { total, unreserved }: AccountConcurrency,
  most: number,
  advice?: string,
): Finding {
  // As many again serve predictions, uploads and a second run.
  const comfortable = 2 * most;
  const answered = `${grouped(total)} concurrent executions, ${grouped(unreserved)} of them unreserved`;
  if (unreserved === 0)
    return failed(answered, 'No function can run. Free reserved concurrency in this account.');
  if (unreserved < comfortable)
    return warning(
      answered,
      `A run uses up to ${most} functions at once and predictions share what is left: below ${comfortable} runs are ` +
        'slow and predictions answer 503. Ask for "Concurrent executions" of AWS Lambda in Service Quotas, or deploy a ' +
        'smaller foldConcurrency and predictConcurrency.',
    );
  if (advice !== undefined) return warning(answered, `${advice} to the deployment.`);
  return ok(answered, `A run uses up to ${most} functions at once, and leaves room for predictions.`);
}
