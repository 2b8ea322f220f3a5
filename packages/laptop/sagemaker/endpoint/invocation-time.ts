import { AwsError } from '../../kernel/aws-error.ts';
import { type Clock, within } from '../../kernel/clock.ts';
import { INVOCATION_TIMEOUT_MS } from './variant-fleet.ts';

const LATE = {
  ServiceUnavailable: {
    statusCode: 503,
    message: 'No container of the variant is healthy. Please try again.',
  },
  ModelNotReadyException: {
    statusCode: 429,
    message: 'The model is not ready: its container is still starting. Please try again.',
  },
} as const;

/**
 * Waits for a container that is coming up, but no longer than an invocation may take.
 *
 * @throws {AwsError} `code`
 */
export function withinInvocationTime<T>(
  clock: Clock,
  waited: Promise<T>,
  code: keyof typeof LATE,
): Promise<T> {
  const { statusCode, message } = LATE[code];
  return within(clock, INVOCATION_TIMEOUT_MS, waited, () => new AwsError(code, message, { statusCode }));
}
