import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';
import type { Site } from '../kernel/service.ts';
import { groupIn, GroupReference } from './actions/group-reference.ts';
import { logGroupArn } from './log-arn.ts';

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
