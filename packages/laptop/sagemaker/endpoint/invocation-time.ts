import { AwsError } from '../../kernel/aws-error.ts';
import type { Clock } from '../../kernel/clock.ts';
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
export async function withinInvocationTime<T>(
  clock: Clock,
  waited: Promise<T>,
  code: keyof typeof LATE,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const { statusCode, message } = LATE[code];
  const cancel = clock.after(INVOCATION_TIMEOUT_MS, () =>
    late.reject(new AwsError(code, message, { statusCode })),
  );
  try {
    return await Promise.race([waited, late.promise]);
  } finally {
    cancel();
  }
}
