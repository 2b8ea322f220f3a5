import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { Site } from '../kernel/service.ts';
import { logGroupArn } from './log-arn.ts';

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
  if ((logGroupName === undefined) === (logGroupIdentifier === undefined))
    throw new AwsError(
      'InvalidParameterException',
      'Specify exactly one of logGroupName and logGroupIdentifier',
    );
  const name = logGroupName ?? logGroupIdentifier ?? '';
  return name.startsWith('arn:') ? name.split(':').slice(6).join(':').replace(/:\*$/, '') : name;
}

const Asked = z.looseObject({ ...GroupReference, logStreamName: z.string().optional() });

/**
 * Permission of calls about a group. AWS names the group in its refusals as `…:log-group:<name>:log-stream:`, with the
 * stream behind it where a call is about one, so that `…:log-group:<name>:*` allows both.
 */
export const onGroup =
  (site: Site): AskedOfRole =>
  (input, action) => {
    const { logStreamName = '', ...asked } = Asked.parse(input);
    const resource = `${logGroupArn(site, groupIn(asked))}:log-stream:${logStreamName}`;
    return [{ action: `logs:${action}`, resource }];
  };
