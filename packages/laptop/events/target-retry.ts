import { AwsError } from '../kernel/aws-error.ts';
import type { Target } from './rule.ts';

/** Codes of errors in dead letters, by the target's own code: EventBridge has names of its own. */
const ERROR_CODES: Readonly<Record<string, string>> = {
  AccessDenied: 'NO_PERMISSIONS',
  FailedToAssumeRole: 'FAILED_TO_ASSUME_ROLE',
  QueueDoesNotExist: 'NO_RESOURCE',
  ResourceNotFoundException: 'NO_RESOURCE',
  NotFound: 'NO_RESOURCE',
  StateMachineDoesNotExist: 'NO_RESOURCE',
  InvalidParameterValue: 'INVALID_PARAMETER',
  ValidationException: 'INVALID_PARAMETER',
  InvalidExecutionInput: 'INVALID_JSON',
};

/** Permanent errors: another attempt would not help. */
const NOT_RETRIED: ReadonlySet<string> = new Set(Object.values(ERROR_CODES));

type RetryPolicy = NonNullable<Target['RetryPolicy']>;

const DEFAULT_POLICY: RetryPolicy = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 };
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 600_000;

/** Why an event is given up, in the words of a dead letter. */
export type GivenUp = 'NotRetryable' | 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds';

/**
 * Next step after a failed delivery: a wait before the next attempt, or the end.
 *
 * @param failed.attempts earlier ones
 * @param failed.ageMs since the first attempt
 * @param failed.jitter 0 ≤ x < 1
 */
export function afterFailure(
  failed: {
    readonly code: string;
    readonly attempts: number;
    readonly ageMs: number;
    readonly jitter: number;
  },
  { MaximumRetryAttempts, MaximumEventAgeInSeconds }: RetryPolicy = DEFAULT_POLICY,
): { readonly delayMs: number } | { readonly givenUp: GivenUp } {
  const { code, attempts, ageMs, jitter } = failed;
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempts) * (0.5 + jitter / 2);
  if (NOT_RETRIED.has(code)) return { givenUp: 'NotRetryable' };
  if (attempts >= MaximumRetryAttempts) return { givenUp: 'MaximumRetryAttempts' };
  if (ageMs + delayMs > MaximumEventAgeInSeconds * 1000) return { givenUp: 'MaximumEventAgeInSeconds' };
  return { delayMs };
}

/** The code of an error as a dead letter has it. */
export function codeOf(error: unknown): string {
  if (!(error instanceof AwsError)) return 'INTERNAL_ERROR';
  return ERROR_CODES[error.code] ?? 'ERROR_FROM_TARGET';
}
