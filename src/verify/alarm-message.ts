import type { Finding } from './finding.ts';

/** Whether an alarm's message reached the encrypted topic, by CloudWatch's own history of its actions. */
export function judgeAlarmMessage(actions: readonly string[], readers: number): Finding {
  const answered =
    actions.length === 0 ? 'the alarm changed, and no action is in its history yet' : actions.join('; ');
  if (actions.some((action) => /failed/i.test(action)))
    return {
      answered,
      verdict: 'failed',
      means:
        'Alarms cannot write to the topic: look at the policies of the topic and of its key, then deploy this release again.',
    };
  if (actions.length === 0)
    return { answered, verdict: 'warning', means: 'Check that the message "inferdrop verify" has arrived.' };
  return {
    answered,
    verdict: 'ok',
    means:
      readers === 0
        ? 'Alarms get through the encrypted topic, though the topic has no subscription.'
        : 'Alarms get through the encrypted topic. Check that the message "inferdrop verify" has arrived.',
  };
}

/** The finding where no alarm of the stack is in the state OK, and so none can be tried. */
export function noQuietAlarm(states: ReadonlyMap<string, string>): Finding {
  const list = [...states].map(([alarm, state]) => `${alarm} ${state}`).join(', ');
  return {
    answered: `no alarm of the stack is OK: ${list || 'it has none'}`,
    verdict: 'not run',
    means:
      'An alarm that rings or has no data yet is left as it is. See to those in ALARM, then verify again.',
  };
}
