import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:in';
let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
let events: EventBridgeClient;

beforeEach(async () => {
  clock = manualClock(Date.UTC(2026, 0, 1, 9, 30, 10));
  stack = await localMessaging({ clock });
  events = new EventBridgeClient(stack.client);
  await new SQSClient(stack.client).send(new CreateQueueCommand({ QueueName: 'in' }));
});
afterEach(() => stack.close());

async function schedule(ScheduleExpression: string): Promise<void> {
  await events.send(new PutRuleCommand({ Name: 'r', ScheduleExpression }));
  await events.send(new PutTargetsCommand({ Rule: 'r', Targets: [{ Id: 't', Arn: QUEUE }] }));
}

async function received(): Promise<Record<string, unknown>[]> {
  const messages = await stack.sqs.queues.open(QUEUE).receive({ max: 100, waitMs: 0 });
  return messages.map(({ message }) => JSON.parse(message.body));
}

test('a rate fires again and again', async () => {
  await schedule('rate(5 minutes)');
  await clock.advance(15 * 60_000);
  const ticks = await received();
  expect(ticks.map(({ time }) => time)).toEqual([
    '2026-01-01T09:35:10Z',
    '2026-01-01T09:40:10Z',
    '2026-01-01T09:45:10Z',
  ]);
  expect(ticks[0]).toMatchObject({
    source: 'aws.events',
    'detail-type': 'Scheduled Event',
    resources: ['arn:aws:events:us-east-1:000000000000:rule/r'],
    detail: {},
  });
});

test('a rule that is switched off is silent', async () => {
  await schedule('rate(1 hour)');
  await events.send(new PutRuleCommand({ Name: 'r', ScheduleExpression: 'rate(1 hour)', State: 'DISABLED' }));
  await clock.advance(7_200_000);
  expect(await received()).toEqual([]);
});

test.each([
  ['rate(1 minutes)', /singular/],
  ['rate(5 minute)', /singular/],
  ['cron(0 3 * * ? *)', /cron\(…\) is not emulated/],
  ['every day', /schedules like rate/],
])('%s is refused', async (expression, message) => {
  await expect(schedule(expression)).rejects.toThrow(message);
});
