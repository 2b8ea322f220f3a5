import { expect, it } from 'vitest';
import type { VerifyServices } from '../../../src/app/verify/check.ts';
import { alarmMessage } from '../../../src/app/verify/checks/alarm-message.ts';

const RINGING = 'inferdrop-dev-dead-letters';
const QUIET = 'inferdrop-dev-throttles';

/** The check of a stack with two alarms, and the states that it set. */
async function tried(states: Readonly<Record<string, string>>) {
  const set: string[] = [];
  const services = {
    clock: () => new Date('2026-11-23T12:00:00Z'),
    wait: async () => undefined,
    stack: {
      name: 'inferdrop-dev',
      resources: Object.keys(states).map((physicalId) => ({
        logicalId: physicalId,
        physicalId,
        type: 'AWS::CloudWatch::Alarm',
        status: 'CREATE_COMPLETE',
      })),
      description: { outputs: new Map([['TopicArn', 'arn:topic']]) },
    },
    subscriptions: async () => ({ confirmed: 1, pending: 0 }),
    alarms: {
      states: async () => new Map(Object.entries(states)),
      set: async (alarm: string, state: string) => void set.push(`${alarm} ${state}`),
      // CloudWatch acts on a change of state only.
      actions: async (alarm: string) => (states[alarm] === 'ALARM' ? [] : ['Successfully executed action']),
    },
  } as unknown as VerifyServices;
  return { finding: await alarmMessage.run(services), set };
}

it('an alarm that is OK is tried, one that rings is left alone', async () => {
  const { finding, set } = await tried({ [RINGING]: 'ALARM', [QUIET]: 'OK' });
  expect([finding.verdict, set]).toEqual(['ok', [`${QUIET} ALARM`, `${QUIET} OK`]]);
});

it('where every alarm rings, none is tried', async () => {
  const { finding, set } = await tried({ [RINGING]: 'ALARM' });
  expect([finding.verdict, set]).toEqual(['not run', []]);
  expect(finding.answered).toContain(`${RINGING} ALARM`);
});
