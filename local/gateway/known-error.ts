import * as z from 'zod';
import { AwsError } from './aws-error.ts';

/**
 * Gives any thrown value the form clients understand.
 *
 * A schema's refusal becomes `validationCode` with every problem in the message. Anything else that is no `AwsError` is a defect
 * of the stack: it is written to stderr with its stack and answered as `InternalFailure`, never swallowed.
 */
export function toKnownError(error: unknown, validationCode: string): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof z.ZodError) {
    const problems = error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    return new AwsError(
      validationCode,
      `${problems.length} validation error(s) detected: ${problems.join('; ')}`,
    );
  }
  // Nobody reads the answer any more, and it is no defect of the stack.
  if (error instanceof Error && error.message === 'aborted' && Reflect.get(error, 'code') === 'ECONNRESET') {
    return new AwsError('RequestTimeout', 'The client went away before its request was whole');
  }
  process.stderr.write(
    `internal failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new AwsError('InternalFailure', message, { statusCode: 500 });
}
