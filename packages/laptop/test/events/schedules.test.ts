import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseScheduleExpression } from '../../events/schedule-expression.ts';
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
  ['cron(0 3 * * ? *)', ['2026-01-02T03:00:00Z', '2026-01-03T03:00:00Z']],
  ['cron(0/20 9 ? * MON-FRI *)', ['2026-01-01T09:40:00Z', '2026-01-02T09:00:00Z']],
  ['cron(15 12 L * ? *)', ['2026-01-31T12:15:00Z', '2026-02-28T12:15:00Z']],
  ['cron(0 8 ? * 2#1 *)', ['2026-01-05T08:00:00Z', '2026-02-02T08:00:00Z']],
  ['cron(0 8 ? * FRIL *)', ['2026-01-30T08:00:00Z', '2026-02-27T08:00:00Z']],
  ['cron(0 0 1W * ? *)', ['2026-02-02T00:00:00Z', '2026-03-02T00:00:00Z']],
  ['cron(0 0 1 JAN ? 2027)', ['2027-01-01T00:00:00Z', undefined]],
])('%s is due at its times', (expression, expected) => {
  const next = parseScheduleExpression(expression);
  const first = next(clock.now());
  expect([first, next(first!)].map(toTime)).toEqual(expected);
});

test('a cron rule fires when it is due', async () => {
  await schedule('cron(0 3 * * ? *)');
  await clock.advance(2 * 86_400_000);
  expect((await received()).map(({ time }) => time)).toEqual([
    '2026-01-02T03:00:00Z',
    '2026-01-03T03:00:00Z',
  ]);
});

function toTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

test.each([
  ['rate(1 minutes)', /singular/],
  ['rate(5 minute)', /singular/],
  ['cron(0 3 * * * *)', /exactly one of day of month and day of week/],
  ['cron(61 3 * * ? *)', /minutes/],
  ['every day', /a schedule is rate/],
])('%s is refused', async (expression, message) => {
  await expect(schedule(expression)).rejects.toThrow(message);
});
