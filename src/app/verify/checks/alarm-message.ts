import type { Check } from '../check.ts';
import { failed, type Finding, notRun, ok, warning } from '../finding.ts';
import { lookUntil } from '../look-until.ts';
import { outputOf } from '../verified-stack.ts';

const REASON = 'inferdrop verify: a test of the messages. Nothing is wrong.';
const PAUSE_MS = 5_000;
const MAX_MS = 60_000;

/**
 * Sets one alarm of the stack to ALARM and back, so that its message takes the usual path. An alarm that is already in ALARM would send
 * nothing, and would be silenced.
 */
export const alarmMessage: Check = {
  name: 'alarm-message',
  asks: 'Does the message of an alarm get through the encrypted topic? (It sends one to every subscriber.)',
  usd: 0,
  run: async ({ alarms, subscriptions, stack, clock, wait }) => {
    const names = stack.resources
      .filter(({ type }) => type === 'AWS::CloudWatch::Alarm')
      .map(({ physicalId }) => physicalId);
    const states = await alarms.states(names);
    const alarm = names.find((name) => states.get(name) === 'OK');
    if (alarm === undefined) return noQuietAlarm(states);
    const since = new Date(clock().getTime() - 1_000);
    await alarms.set(alarm, 'ALARM', REASON);
    try {
      const look = async () => {
        const actions = await alarms.actions(alarm, since);
        return actions.length > 0 ? actions : undefined;
      };
      const actions = await lookUntil(look, { clock, wait, pollMs: PAUSE_MS, maxMs: MAX_MS });
      const { confirmed } = await subscriptions(outputOf(stack, 'TopicArn'));
      return judgeAlarmMessage(actions ?? [], confirmed);
    } finally {
      await alarms.set(alarm, 'OK', REASON);
    }
  },
};

/** Whether an alarm's message reached the encrypted topic, by CloudWatch's own history of its actions. */
export function judgeAlarmMessage(actions: readonly string[], readers: number): Finding {
  const answered =
    actions.length === 0 ? 'the alarm changed, and no action is in its history yet' : actions.join('; ');
  if (actions.some((action) => /failed/i.test(action)))
    return failed(
      answered,
      'Alarms cannot write to the topic: look at the policies of the topic and of its key, then deploy this release again.',
    );
  if (actions.length === 0)
    return warning(answered, 'Check that the message "inferdrop verify" has arrived.');
  return ok(
    answered,
    readers === 0
      ? 'Alarms get through the encrypted topic, though the topic has no subscription.'
      : 'Alarms get through the encrypted topic. Check that the message "inferdrop verify" has arrived.',
  );
}

/** The finding if no alarm of the stack is in the state OK, so that none can be tried. */
function noQuietAlarm(states: ReadonlyMap<string, string>): Finding {
  const list = [...states].map(([alarm, state]) => `${alarm} ${state}`).join(', ');
  return notRun(
    `no alarm of the stack is OK: ${list || 'it has none'}`,
    'An alarm that rings or has no data yet is left as it is. See to those in ALARM, then verify again.',
  );
}
