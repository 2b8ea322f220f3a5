import * as z from 'zod';
import { memberPath } from '../service-model/finding.ts';
import { AwsError } from './aws-error.ts';

/**
 * Converts any thrown value to a form that clients understand.
 *
 * Members that a schema does not know are AWS's own that are not emulated: the service's model has refused all others before. Any
 * other refusal of a schema becomes `validationCode` with every problem in the message. Anything else that is not an `AwsError`
 * is a defect of the stack: it is written to stderr with its stack and answered as `InternalFailure`, never swallowed.
 */
export function toKnownError(error: unknown, validationCode: string, operation = 'this call'): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof z.ZodError) {
    const unknown = notEmulated(error);
    if (unknown !== undefined)
      return new AwsError(
        validationCode,
        `The local stack does not emulate ${unknown} of ${operation}: leave it out`,
      );
    const problems = error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    return new AwsError(
      validationCode,
      `${problems.length} validation error(s) detected: ${problems.join('; ')}`,
    );
  }
  // The client is gone, which is not a defect of the stack.
  if (error instanceof Error && error.message === 'aborted' && Reflect.get(error, 'code') === 'ECONNRESET')
    return new AwsError('RequestTimeout', 'The client went away before its request was whole');
  process.stderr.write(
    `internal failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new AwsError('InternalFailure', message, { statusCode: 500 });
}

/** The members that a schema does not know, as in `ProductionVariants[0].CoreDumpConfig`; undefined if it is about something else. */
export function notEmulated({ issues }: z.ZodError): string | undefined {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => memberPath([...issue.path, key])) : [],
  );
  return unknown.length === 0 ? undefined : unknown.join(', ');
}
