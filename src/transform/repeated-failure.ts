/** Failures that tell enough of a job of any size. */
export const ENOUGH_FAILURES = 1_000;

/** Refusals for a time only: the container may answer a job that sends fewer requests at once (RFC 9110, RFC 6585). */
const PASSING = [408, 429];

/** Statuses of a bundle about an input in it: gone, or with too long an answer, which may be no fault of the input's. */
const OF_BUNDLE = [404, 413];

/** Whether an input that was sent on its own, or in a bundle as if on its own, would be refused again. */
export function isCertainRefusal(status: number): boolean {
  return isRefusal(status) && !OF_BUNDLE.includes(status);
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !PASSING.includes(status);
}

/** The log of a job about an input. */
interface Said {
  readonly why: string;
  readonly status: number | undefined;
  readonly isLate: boolean;
}

/** Requests of a job. */
interface Sent {
  readonly requests: number;
  /** Whether each had one input. */
  readonly isAlone: boolean;
  readonly invocationsTimeoutInSeconds: number;
}

/**
 * Why the inputs of a job without any output would also fail in a further job: the container was too slow for each, or refused each
 * one separately with a 4xx. `refused` if requests of several inputs were, which some of those may have caused; undefined if the
 * log doesn't say so of all requests.
 *
 * @param failures of the first {@link ENOUGH_FAILURES} requests
 */
export function repeatedFailure(
  failures: readonly Said[],
  { requests, isAlone, invocationsTimeoutInSeconds }: Sent,
): { readonly reason: string } | 'refused' | undefined {
  const [first] = failures;
  if (first === undefined || failures.length < Math.min(requests, ENOUGH_FAILURES)) return undefined;
  if (failures.every(({ isLate }) => isLate))
    return {
      reason:
        `the model answered no input within ${invocationsTimeoutInSeconds} s, the value of ` +
        'transform.invocationsTimeoutInSeconds, and each try is billed: raise it (AWS allows up to 3600), or speed up ' +
        'the model or its handler',
    };
  if (!failures.every(({ status = 0 }) => isRefusal(status))) return undefined;
  if (!isAlone) return 'refused';
  const { why } = first;
  const isAlike = failures.every((other) => other.why === why);
  return {
    reason: `each input was refused ${isAlike ? `alike (${why})` : `(the first: ${why})`}, and would be again in a further job`,
  };
}
