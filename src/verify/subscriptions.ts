import type { Finding } from './finding.ts';

/** Whether messages about runs reach a person. */
export function judgeSubscriptions(facts: { readonly confirmed: number; readonly pending: number }): Finding {
  const { confirmed, pending } = facts;
  const answered = `${confirmed} confirmed, ${pending} waiting for confirmation`;
  if (pending > 0)
    return {
      answered,
      verdict: 'warning',
      means:
        'An address receives nothing until its owner follows the link in AWS\'s message "Subscription Confirmation".',
    };
  if (confirmed === 0)
    return {
      answered,
      verdict: 'warning',
      means:
        'Messages of runs and alarms reach no one: deploy with --param notificationEmail=ADDRESS, or subscribe to the topic.',
    };
  return { answered, verdict: 'ok', means: 'Messages of runs and alarms have a reader.' };
}
