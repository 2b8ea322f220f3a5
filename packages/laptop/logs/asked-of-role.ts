import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';
import type { Site } from '../kernel/service.ts';
import { groupIn, GroupReference } from './actions/groups.ts';

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

/** The ARN of a log group, without the `:*` that policies and `GetAtt Arn` add. */
export function logGroupArn(site: Site, name: string): string {
  return `arn:${site.partition}:logs:${site.region}:${site.account}:log-group:${name}`;
}
