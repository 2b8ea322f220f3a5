import { writeFile } from 'node:fs/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:in';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
let lambda: LambdaClient;
beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock, lambdaConcurrency: 2 });
  lambda = new LambdaClient(stack.client);
});
afterEach(() => stack.close());

/** Answers once the gate is open. */
const GATED = `
  import { existsSync } from 'node:fs';
  export const handler = async ({ gate }) => {
    process.stdout.write('begun');
    while (!existsSync(gate)) await new Promise((resolve) => setImmediate(resolve));
  };`;
const COUNTING =
  `export const handler = async (event) => { process.stdout.write('got ' + (event.Records?.[0].body ?? ` +
  'JSON.stringify(event))) };';

const invoke = (name: string) =>
  lambda.send(
    new InvokeCommand({ FunctionName: name, Payload: JSON.stringify({ gate: `${stack.dir}/open` }) }),
  );
const lines = (name: string, text: string): number =>
  stack.lines(`/aws/lambda/${name}`).filter((line) => line.startsWith(text)).length;

/** Uses up the account's concurrency; `free` gives it back. */
async function occupy(): Promise<() => Promise<void>> {
  await stack.makeFunction('a', GATED, { Timeout: 900 });
  await stack.makeFunction('b', GATED, { Timeout: 900 });
  const running = [invoke('a'), invoke('b')];
  await until(() => lines('a', 'begun') + lines('b', 'begun') === 2);
  return async () => {
    await writeFile(`${stack.dir}/open`, '');
    await Promise.all(running);
  };
}

/** Makes a function and has it run once, so that its next invocation needs no start. */
async function makeWarm(name: string, code: string): Promise<void> {
  await stack.makeFunction(name, code);
  await invoke(name);
  await until(() => lines(name, 'REPORT') === 1);
}

test('beyond the concurrency of the account any function is throttled', async () => {
  const free = await occupy();
  await stack.makeFunction('c', GATED);
  await expect(invoke('c')).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    message: 'Rate Exceeded.',
    Reason: 'ConcurrentInvocationLimitExceeded',
    Type: 'User',
    $metadata: { httpStatusCode: 429 },
  });
  await free();
  expect((await invoke('c')).StatusCode).toBe(200);
});

test('a share may be reserved as long as AWS’s minimum is left to the others', async () => {
  await expect(stack.makeFunction('c', GATED, { ReservedConcurrentExecutions: 1 })).rejects.toMatchObject({
    name: 'InvalidParameterValueException',
    message:
      "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below " +
      'its minimum value of [2].',
  });
  const large = await localMessaging({ lambdaConcurrency: 200 });
  try {
    await large.makeFunction('c', GATED, { ReservedConcurrentExecutions: 60 });
    await large.makeFunction('c', GATED, { ReservedConcurrentExecutions: 100 });
    await expect(large.makeFunction('d', GATED, { ReservedConcurrentExecutions: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('minimum value of [100]'),
    });
  } finally {
    await large.close();
  }
});

test('an asynchronous event that is throttled comes again with growing pauses', async () => {
  await makeWarm('c', COUNTING);
  const free = await occupy();
  await stack.lambda.functions.invokeLater('c', Buffer.from('1'));
  await clock.advance(1000 + 2000 + 3999);
  await free();
  expect(lines('c', 'got 1')).toBe(0);
  await clock.advance(1);
  await until(() => lines('c', 'got 1') === 1);
});

test('a batch of a queue that is throttled is tried again while its messages are hidden, and counts as received once', async () => {
  const sqs = new SQSClient(stack.client);
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({ QueueName: 'in', Attributes: { VisibilityTimeout: '60' } }),
  );
  await makeWarm('c', COUNTING);
  const free = await occupy();
  await stack.make('AWS::Lambda::EventSourceMapping', { EventSourceArn: QUEUE, FunctionName: 'c' });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'm' }));
  await clock.advance(1000 + 2000 + 3999);
  await free();
  expect(lines('c', 'got m')).toBe(0);
  await clock.advance(1);
  await until(() => lines('c', 'got m') === 1);
  await until(() => stack.sqs.queues.open(QUEUE).counts().inFlight === 0);
  expect(stack.reports).toEqual([]);
});

test('a batch that is throttled all the while shows in the queue again', async () => {
  const sqs = new SQSClient(stack.client);
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({ QueueName: 'in', Attributes: { VisibilityTimeout: '60' } }),
  );
  await makeWarm(
    'c',
    `export const handler = async ({ Records }) => { process.stdout.write('got ' + Records?.[0].attributes.ApproximateReceiveCount) };`,
  );
  const free = await occupy();
  await stack.make('AWS::Lambda::EventSourceMapping', { EventSourceArn: QUEUE, FunctionName: 'c' });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'm' }));
  await clock.advance(59_999);
  await free();
  expect(lines('c', 'got 1')).toBe(0);
  await clock.advance(1);
  await until(() => lines('c', 'got 2') === 1);
});
