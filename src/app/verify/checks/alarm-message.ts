import { judgeAlarmMessage, noQuietAlarm } from '../../../verify/alarm-message.ts';
import type { Check } from '../check.ts';
import { outputOf } from '../stack-resource.ts';

const REASON = 'inferdrop verify: a test of the messages. Nothing is wrong.';
const LOOKS = 12;
const PAUSE_MS = 5_000;

/**
 * One alarm of the stack is set to ALARM and back, so that its message takes the usual path. One that is in ALARM already would send
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
      let actions = await alarms.actions(alarm, since);
      for (let look = 1; actions.length === 0 && look < LOOKS; look++) {
        await wait(PAUSE_MS);
        actions = await alarms.actions(alarm, since);
      }
      const { confirmed } = await subscriptions(outputOf(stack, 'TopicArn'));
      return judgeAlarmMessage(actions, confirmed);
    } finally {
      await alarms.set(alarm, 'OK', REASON);
    }
  },
};
