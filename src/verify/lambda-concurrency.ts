import type { Finding } from './finding.ts';

/** The account's Lambda concurrency in this region. */
export interface ConcurrencyFacts {
  /** Cap on functions that run at once. */
  readonly total: number;
  /** The part of it for functions without reserved concurrency. */
  readonly unreserved: number;
}

/** Folding runs 16 functions at once; as many again serve predictions, uploads and a second run. */
const COMFORTABLE = 32;

/** Whether the account's Lambda concurrency suffices for runs and predictions. */
export function judgeConcurrency({ total, unreserved }: ConcurrencyFacts): Finding {
  const answered = `${total.toLocaleString('en-US')} concurrent executions, ${unreserved.toLocaleString('en-US')} of them unreserved`;
  if (unreserved === 0)
    return {
      answered,
      verdict: 'failed',
      means: 'No function can run. Free reserved concurrency in this account.',
    };
  if (unreserved < COMFORTABLE)
    return {
      answered,
      verdict: 'warning',
      means: `A run folds with up to 16 functions at once and predictions share what is left: below ${COMFORTABLE} runs are slow and predictions answer 503. Ask for "Concurrent executions" of AWS Lambda in Service Quotas.`,
    };
  return {
    answered,
    verdict: 'ok',
    means: 'A run folds with up to 16 functions at once, and leaves room for predictions.',
  };
}
