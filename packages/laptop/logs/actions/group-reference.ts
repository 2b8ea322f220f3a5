import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';

/** The two ways in which a call names its log group. */
export const GroupReference = {
  logGroupName: z.string().optional(),
  /** A name or an ARN. */
  logGroupIdentifier: z.string().optional(),
};

/** @throws {AwsError} `InvalidParameterException` if the call names none, or both */
export function groupIn({
  logGroupName,
  logGroupIdentifier,
}: {
  readonly logGroupName?: string | undefined;
  readonly logGroupIdentifier?: string | undefined;
}): string {
  if ((logGroupName === undefined) === (logGroupIdentifier === undefined)) {
    throw new AwsError(
      'InvalidParameterException',
      'Specify exactly one of logGroupName and logGroupIdentifier',
    );
  }
  const name = logGroupName ?? logGroupIdentifier ?? '';
  return name.startsWith('arn:') ? name.split(':').slice(6).join(':').replace(/:\*$/, '') : name;
}
