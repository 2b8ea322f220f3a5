import type { Finding } from './finding.ts';

/** Room for functions, and what a run of this stack takes of it. */
export interface ConcurrencyFacts {
  /** Cap on functions that run at once in the account and region. */
  readonly total: number;
  /** The part of it for functions without reserved concurrency. */
  readonly unreserved: number;
  /** Functions that one run folds with at once: the stack's parameter `FoldConcurrency`. */
  readonly fold: number;
}

/** Whether the account's Lambda concurrency suffices for runs and predictions. */
export function judgeConcurrency({ total, unreserved, fold }: ConcurrencyFacts): Finding {
  // As many again serve predictions, uploads and a second run.
  const comfortable = 2 * fold;
  const answered = `${total.toLocaleString('en-US')} concurrent executions, ${unreserved.toLocaleString('en-US')} of them unreserved`;
  if (unreserved === 0)
    return {
      answered,
      verdict: 'failed',
      means: 'No function can run. Free reserved concurrency in this account.',
    };
  if (unreserved < comfortable)
    return {
      answered,
      verdict: 'warning',
      means: `A run folds with up to ${fold} functions at once and predictions share what is left: below ${comfortable} runs are slow and predictions answer 503. Ask for "Concurrent executions" of AWS Lambda in Service Quotas, or deploy a smaller foldConcurrency.`,
    };
  return {
    answered,
    verdict: 'ok',
    means: `A run folds with up to ${fold} functions at once, and leaves room for predictions.`,
  };
}
