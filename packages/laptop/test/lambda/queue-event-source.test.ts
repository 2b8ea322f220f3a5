import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:in';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
let sqs: SQSClient;
let QueueUrl: string;

beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock });
  sqs = new SQSClient(stack.client);
  QueueUrl = (await sqs.send(new CreateQueueCommand({ QueueName: 'in' }))).QueueUrl!;
  await sqs.send(new CreateQueueCommand({ QueueName: 'seen' }));
});
afterEach(() => stack.close());

async function send(...bodies: string[]): Promise<void> {
  const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
}

async function left(): Promise<(string | undefined)[]> {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return [Attributes!['ApproximateNumberOfMessages'], Attributes!['ApproximateNumberOfMessagesNotVisible']];
}

function logged(): string[] {
  return stack.lines('/aws/lambda/reader').filter((line) => line.startsWith('got '));
}

test('messages reach the function as records and are deleted', async () => {
  await stack.makeFunction(
    'reader',
    `export const handler = async ({ Records }) => { process.stdout.write('got ' + JSON.stringify(Records) + '\\n') }`,
  );
  await stack.make('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: QUEUE,
    FunctionName: 'reader',
    BatchSize: 10,
  });
  await send('one');
  await until(async () => logged().length === 1 && (await left()).join() === '0,0');
  const [record] = JSON.parse(logged()[0]!.slice(4));
  expect(record).toMatchObject({
    body: 'one',
    eventSource: 'aws:sqs',
    eventSourceARN: QUEUE,
    awsRegion: 'us-east-1',
    attributes: { ApproximateReceiveCount: '1' },
    messageAttributes: {},
  });
});

test('a window gathers messages of several sends into one batch', async () => {
  await stack.makeFunction(
    'reader',
    `export const handler = async ({ Records }) => { process.stdout.write('got ' + Records.length + '\\n') }`,
  );
  await stack.make('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: QUEUE,
    FunctionName: 'reader',
    BatchSize: 1000,
    MaximumBatchingWindowInSeconds: 5,
  });
  for (let n = 0; n < 4; n++) await send('a', 'b', 'c', 'd', 'e');
  expect(logged()).toEqual([]);
  await clock.advance(5000);
  await until(() => logged().length > 0);
  expect(logged()).toEqual(['got 20']);
});

test('only the items a function names come again', async () => {
  await stack.makeFunction(
    'reader',
    `export const handler = async ({ Records }) => {
      process.stdout.write('got ' + Records.map(({ body }) => body) + '\\n');
      return { batchItemFailures: Records.filter(({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1')
        .map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }`,
  );
  await stack.make('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: QUEUE,
    FunctionName: 'reader',
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumBatchingWindowInSeconds: 1,
  });
  await send('good', 'bad');
  await clock.advance(1000);
  await until(async () => (await left()).join() === '0,1');
  await clock.advance(31_000);
  await until(async () => (await left()).join() === '0,0');
  expect(logged()).toEqual(['got good,bad', 'got bad']);
});

test('a batch whose function throws comes again after the visibility timeout, and ends in the dead-letter queue', async () => {
  const { QueueUrl: dead } = await sqs.send(new CreateQueueCommand({ QueueName: 'dead' }));
  await stack.make('AWS::SQS::Queue', {
    QueueName: 'in',
    RedrivePolicy: { deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead', maxReceiveCount: 2 },
  });
  await stack.makeFunction(
    'reader',
    `export const handler = async () => { process.stdout.write('got it\\n'); throw new Error('no') }`,
  );
  await stack.make('AWS::Lambda::EventSourceMapping', { EventSourceArn: QUEUE, FunctionName: 'reader' });
  await send('poison');
  for (const times of [1, 2]) {
    await until(() => logged().length === times);
    await until(
      () => stack.lines('/aws/lambda/reader').filter((line) => line.startsWith('END')).length === times,
    );
    await clock.advance(30_000);
  }
  await until(async () => (await left()).join() === '0,0');
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames: ['All'] }),
  );
  expect(Attributes!['ApproximateNumberOfMessages']).toBe('1');
});

test('a batch over ten without a window is refused, as is a queue that shows messages sooner than the function ends', async () => {
  await stack.makeFunction('reader', 'export const handler = async () => 1', { Timeout: 31 });
  const mapping = { EventSourceArn: QUEUE, FunctionName: 'reader' };
  await expect(stack.make('AWS::Lambda::EventSourceMapping', { ...mapping, BatchSize: 11 })).rejects.toThrow(
    /batch window in seconds must be greater than 0/,
  );
  await expect(stack.make('AWS::Lambda::EventSourceMapping', mapping)).rejects.toThrow(
    'Queue visibility timeout: 30 seconds is less than Function timeout: 31 seconds',
  );
});
