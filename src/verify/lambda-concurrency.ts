import type { Finding } from './finding.ts';

/** What Lambda says of the account in this region. */
export interface ConcurrencyFacts {
  /** Functions that may run at once. */
  readonly total: number;
  /** What is left of it for functions without a reserved share. */
  readonly unreserved: number;
}

/** Folding runs 16 functions at once; as many again serve predictions, uploads and a second run. */
const COMFORTABLE = 32;

/** Whether runs and predictions find room in the account's Lambda concurrency. */
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
    means: 'A run folds with up to 16 functions at once, and predictions find room beside it.',
  };
}
