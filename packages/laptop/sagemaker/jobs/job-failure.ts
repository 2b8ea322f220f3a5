/** Why a whole job failed, in the words of `FailureReason`. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';

  /** @param message cut to the 1,024 characters that the API allows */
  constructor(message: string) {
    super(message.length > 1024 ? `${message.slice(0, 1023)}…` : message);
  }
}

/** Reasons for which a whole job fails, in the words of SageMaker's `FailureReason`. */
export const FAILURE = {
  client: 'ClientError: See job logs for more information',
  algorithm: 'AlgorithmError: See job logs for more information',
  capacity:
    'CapacityError: Unable to provision requested ML compute capacity. Please retry using a different ML instance type.',
  internal: 'InternalServerError: We encountered an internal error. Please try again.',
  ping:
    'AlgorithmError: Model container failed to respond to ping. Please ensure /ping endpoint is implemented and ' +
    'responds with an HTTP 200 status code',
} as const;

/**
 * Reason in the record of a failed job. An error other than a `JobFailure` is a defect of the stack, and is written to
 * stderr with its job.
 */
export function failureReasonOf(error: unknown, job: string): string {
  if (error instanceof JobFailure) return error.message;
  process.stderr.write(
    `${job}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return FAILURE.internal;
}
