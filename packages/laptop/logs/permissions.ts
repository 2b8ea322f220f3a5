import * as z from 'zod';
import type { ActionPermissions, Site } from '../kernel/service.ts';
import { groupIn, GroupReference } from './actions/group-reference.ts';
import { logGroupArn } from './log-arn.ts';

const Asked = z.looseObject({ ...GroupReference, logStreamName: z.string().optional() });

/**
 * What calls ask of a role. AWS names the group in its refusals as `…:log-group:<name>:log-stream:`, with the stream behind it where a
 * call is about one, so that `…:log-group:<name>:*` allows both.
 */
export function logPermissions(site: Site): ActionPermissions {
  const asks = (action: string) => (input: unknown) => {
    const { logStreamName = '', ...asked } = Asked.parse(input);
    return [{ action, resource: `${logGroupArn(site, groupIn(asked))}:log-stream:${logStreamName}` }];
  };
  return {
    DescribeLogStreams: asks('logs:DescribeLogStreams'),
    FilterLogEvents: asks('logs:FilterLogEvents'),
    GetLogEvents: asks('logs:GetLogEvents'),
  };
}
