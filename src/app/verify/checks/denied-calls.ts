import * as z from 'zod';
import { parsedJson } from '../../../text/parsed-json.ts';
import { type DeniedCall, judgeDeniedCalls } from '../../../verify/denied-calls.ts';
import type { Check } from '../check.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;

/** The fields of CloudTrail's record with the caller and the refused action. */
const TrailRecord = z.object({
  eventSource: z.string(),
  eventName: z.string(),
  errorCode: z.string().optional(),
  errorMessage: z.string().default(''),
  userIdentity: z.object({ arn: z.string().default('') }).default({ arn: '' }),
});

const IS_DENIED = /AccessDenied|Unauthorized|NotAuthorized|Forbidden/i;

/** What AWS refused to the stack's functions and to SageMaker as the model role. */
export const deniedCalls: Check = {
  name: 'denied-calls',
  asks: "Which calls of the stack's roles has AWS refused in the last week, by CloudTrail?",
  usd: null,
  run: async ({ trail, stack, clock }) => {
    const since = new Date(clock().getTime() - DAYS * DAY_MS);
    // A function's session is named after it, SageMaker's after the service.
    const functions = stack.resources
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map(({ physicalId }) => physicalId);
    const modelRole = stack.resources.find(({ logicalId }) => logicalId === 'ModelRole')?.physicalId ?? '';
    const calls: DeniedCall[] = [];
    for (const user of [...functions, 'SageMaker']) {
      for (const { at, record } of await trail(user, since)) {
        const event = TrailRecord.parse(parsedJson(record));
        const isOurs = user !== 'SageMaker' || event.userIdentity.arn.includes(`/${modelRole}/`);
        if (isOurs && IS_DENIED.test(event.errorCode ?? ''))
          calls.push({
            at: at.toISOString(),
            caller: user,
            action: `${event.eventSource.split('.')[0] ?? ''}:${event.eventName}`,
            message: event.errorMessage,
          });
      }
    }
    return judgeDeniedCalls(calls, { callers: functions.length + 1, days: DAYS });
  },
};
