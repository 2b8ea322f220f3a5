import {
  EventBridgeClient,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
let events: EventBridgeClient;
let sqs: SQSClient;

beforeEach(async () => {
  clock = manualClock(Date.UTC(2026, 4, 1, 10, 0, 30));
  stack = await localMessaging({ clock });
  events = new EventBridgeClient(stack.client);
  sqs = new SQSClient(stack.client);
  for (const QueueName of ['in', 'dead']) await sqs.send(new CreateQueueCommand({ QueueName }));
});
afterEach(() => stack.close());

const arn = (queue: string): string => `arn:aws:sqs:us-east-1:000000000000:${queue}`;

async function rule(target: Omit<Target, 'Id'>): Promise<void> {
  await events.send(new PutRuleCommand({ Name: 'r', EventPattern: '{"source":["app"]}' }));
  await events.send(new PutTargetsCommand({ Rule: 'r', Targets: [{ Id: 't', ...target } as Target] }));
}

async function put(detail: unknown, Source = 'app') {
  return events.send(
    new PutEventsCommand({
      Entries: [
        { Source, DetailType: 'Drop', Detail: JSON.stringify(detail), Resources: ['arn:aws:s3:::b'] },
      ],
    }),
  );
}

async function receive(queue: string) {
  const QueueUrl = `${stack.endpoint}/000000000000/${queue}`;
  const { Messages } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
  );
  return Messages ?? [];
}

test('an event that matches reaches the queue whole', async () => {
  await rule({ Arn: arn('in') });
  const { Entries } = await put({ a: 1 });
  const [message] = await receive('in');
  expect(JSON.parse(message!.Body!)).toEqual({
    version: '0',
    id: Entries![0]!.EventId,
    'detail-type': 'Drop',
    source: 'app',
    account: '000000000000',
    time: '2026-05-01T10:00:30Z',
    region: 'us-east-1',
    resources: ['arn:aws:s3:::b'],
    detail: { a: 1 },
  });
});

test('an event that does not match reaches no target', async () => {
  await rule({ Arn: arn('in') });
  await put({}, 'other');
  expect(await receive('in')).toEqual([]);
});

test('Input and InputPath choose what is sent', async () => {
  await rule({ Arn: arn('in'), Input: '{"fixed":true}' });
  await put({ a: 1 });
  await rule({ Arn: arn('in'), InputPath: '$.detail.a' });
  await put({ a: { b: 2 } });
  expect((await receive('in')).map(({ Body }) => Body)).toEqual(['{"fixed":true}', '{"b":2}']);
});

test.each([
  ['values stand as JSON', '{"k": <k>, "n": <n>, "o": <o>}', '{"k": "a\\"b", "n": 7, "o": {"p":[1]}}'],
  ['inside quotes as bare text', '{"t": "<k> is <n>"}', '{"t": "a\\"b is 7"}'],
  ['an object inside quotes loses its own', '{"t": "is <o>"}', '{"t": "is {p:[1]}"}'],
  ['what is not there is empty text', '{"m": <m>, "q": "<m>"}', '{"m": "", "q": ""}'],
  ['a text template stays text', '"<n> files in <k>"', '"7 files in a\\"b"'],
  ['the rule is known by name', '{"r": <aws.events.rule-name>}', '{"r": "r"}'],
])('an input transformer: %s', async (_, InputTemplate, expected) => {
  const InputPathsMap = { k: '$.detail.k', n: '$.detail.n', o: '$.detail.o', m: '$.detail.missing' };
  await rule({ Arn: arn('in'), InputTransformer: { InputPathsMap, InputTemplate } });
  await put({ k: 'a"b', n: 7, o: { p: [1] } });
  expect((await receive('in'))[0]!.Body).toBe(expected);
});

test('a template with a placeholder that has no path is refused', async () => {
  await expect(
    rule({ Arn: arn('in'), InputTransformer: { InputPathsMap: {}, InputTemplate: '{"a": <b>}' } }),
  ).rejects.toThrow('<b> has no path in InputPathsMap');
});

test('a target of a kind that is not emulated is refused', async () => {
  await expect(rule({ Arn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s' })).rejects.toThrow(
    /not to kinesis/,
  );
});

test('a queue that is gone is not tried again: the event goes to the dead-letter queue with the reason', async () => {
  await rule({ Arn: arn('gone'), DeadLetterConfig: { Arn: arn('dead') } });
  await put({ a: 1 });
  await until(() => stack.sqs.queues.open(arn('dead')).counts().visible === 1);
  const [message] = await receive('dead');
  expect(JSON.parse(message!.Body!)).toMatchObject({ source: 'app', detail: { a: 1 } });
  expect(message!.MessageAttributes).toMatchObject({
    ERROR_CODE: { StringValue: 'NO_RESOURCE' },
    RULE_ARN: { StringValue: 'arn:aws:events:us-east-1:000000000000:rule/r' },
    TARGET_ARN: { StringValue: arn('gone') },
    RETRY_ATTEMPTS: { StringValue: '0' },
  });
});

test('without a dead-letter queue the loss is reported', async () => {
  await rule({ Arn: arn('gone') });
  await put({});
  await until(() => stack.reports.length === 1);
  expect(stack.reports[0]).toMatch(/rule r, target t .* given up .* no dead-letter queue/);
});

test('a state machine is started with the event', async () => {
  const machine = { Arn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m', InputPath: '$.detail' };
  await expect(rule(machine)).rejects.toThrow('RoleArn is required');
  await rule({ ...machine, RoleArn: 'arn:aws:iam::000000000000:role/starter' });
  await put({ a: 1 });
  await until(() => stack.started.length === 1);
  expect(stack.started).toEqual([
    { arn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m', input: '{"a":1}' },
  ]);
});

test('entries are refused one by one, and the aws. sources are not for callers', async () => {
  const { FailedEntryCount, Entries } = await events.send(
    new PutEventsCommand({
      Entries: [
        { Source: 'app', DetailType: 'd', Detail: '{}' },
        { Source: 'app', DetailType: 'd', Detail: '[1]' },
        { Source: 'aws.s3', DetailType: 'd', Detail: '{}' },
      ],
    }),
  );
  expect(FailedEntryCount).toBe(2);
  expect(Entries).toEqual([
    { EventId: expect.any(String) },
    { ErrorCode: 'MalformedDetail', ErrorMessage: expect.any(String) },
    { ErrorCode: 'NotAuthorizedForSource', ErrorMessage: expect.any(String) },
  ]);
});
