/** Failures that tell enough of a job of any size. */
export const ENOUGH_FAILURES = 1_000;

/** Refusals for a time only: the container may answer a job that sends fewer requests at once (RFC 9110, RFC 6585). */
const PASSING = [408, 429];

/** The log of a job about an input. */
interface Said {
  readonly why: string;
  readonly status: number | undefined;
  readonly isLate: boolean;
}

/**
 * Why the inputs of a job without any output would fail in a further job, too: the container refused each with the same 4xx, or was too slow
 * for each. Undefined if its log doesn't say so of all of them.
 *
 * @param failures of the first {@link ENOUGH_FAILURES} inputs
 */
export function repeatedFailure(
  failures: readonly Said[],
  objects: number,
  invocationsTimeoutInSeconds: number,
): string | undefined {
  const [first] = failures;
  if (first === undefined || failures.length < Math.min(objects, ENOUGH_FAILURES)) return undefined;
  const { status = 0, why } = first;
  if (failures.every(({ isLate }) => isLate))
    return `the model answered no input within ${invocationsTimeoutInSeconds} s, the value of transform.invocationsTimeoutInSeconds, and each try is billed: raise it (AWS allows up to 3600), or speed up the model or its handler`;
  const isRefusal = status >= 400 && status < 500 && !PASSING.includes(status);
  if (!isRefusal || failures.some((other) => other.why !== why)) return undefined;
  return `each input was refused alike (${why}), and a further job would be, too`;
}
