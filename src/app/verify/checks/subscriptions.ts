import { judgeSubscriptions } from '../../../verify/subscriptions.ts';
import type { Check } from '../check.ts';
import { outputOf } from '../stack-resource.ts';

/** Checks the readers of the messages of runs and alarms. */
export const subscriptions: Check = {
  name: 'subscriptions',
  asks: 'Who reads the messages about runs, endpoints and alarms?',
  usd: null,
  run: async ({ subscriptions: count, stack }) =>
    judgeSubscriptions(await count(outputOf(stack, 'TopicArn'))),
};
