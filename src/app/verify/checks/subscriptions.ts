import type { SubscriptionCounts } from '../../../aws/messages/topic-subscriptions.ts';
import type { Check } from '../check.ts';
import { type Finding, ok, warning } from '../finding.ts';
import { outputOf } from '../verified-stack.ts';

/** Checks the readers of the messages of runs and alarms. */
export const subscriptions: Check = {
  name: 'subscriptions',
  asks: 'Who reads the messages about runs, endpoints and alarms?',
  usd: null,
  run: async ({ subscriptions: count, stack }) =>
    judgeSubscriptions(await count(outputOf(stack, 'TopicArn'))),
};

/** Whether messages about runs reach a person. */
export function judgeSubscriptions({ confirmed, pending }: SubscriptionCounts): Finding {
  const answered = `${confirmed} confirmed, ${pending} waiting for confirmation`;
  if (pending > 0)
    return warning(
      answered,
      'An address receives nothing until its owner follows the link in AWS\'s message "Subscription Confirmation".',
    );
  if (confirmed === 0)
    return warning(
      answered,
      'Messages of runs and alarms reach no one: deploy with --param notificationEmail=ADDRESS, or subscribe to the topic.',
    );
  return ok(answered, 'Messages of runs and alarms have a reader.');
}
