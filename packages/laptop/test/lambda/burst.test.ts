import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:uploads';
const FILES = 5000;

const clock = manualClock();
let stack: LocalMessaging;
beforeAll(async () => void (stack = await localMessaging({ clock })));
afterAll(() => stack.close());

test('a burst of 5,000 uploads reaches a function whole, in batches of 1,000, and leaves an empty queue', async () => {
  await stack.make('AWS::SQS::Queue', { QueueName: 'uploads', VisibilityTimeout: 60 });
  await stack.makeFunction(
    'accept',
    `export const handler = async ({ Records }) => process.stdout.write(Records.map(({ body }) => JSON.parse(body).key).join(' '))`,
    { Timeout: 60 },
  );
  await stack.make('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: QUEUE,
    FunctionName: 'accept',
    BatchSize: 1000,
    MaximumBatchingWindowInSeconds: 1,
  });
  await stack.make('AWS::Events::Rule', {
    EventPattern: { source: ['aws.s3'], detail: { object: { key: [{ prefix: 'incoming/' }] } } },
    Targets: [
      {
        Id: 'queue',
        Arn: QUEUE,
        InputTransformer: {
          InputPathsMap: { key: '$.detail.object.key', version: '$.detail.object.version-id' },
          InputTemplate: '{"key":<key>,"version":<version>}',
        },
      },
    ],
  });
  for (let file = 0; file < FILES; file++) {
    const detail = { object: { key: `incoming/p/d/${file}.png` } };
    void stack.events.bus.put({ source: 'aws.s3', 'detail-type': 'Object Created', detail });
    if (file % 500 === 499) await clock.advance(1);
  }
  const queue = stack.sqs.queues.open(QUEUE);
  await until(() => queue.counts().visible + queue.counts().inFlight === 0);
  const batches = stack
    .lines('/aws/lambda/accept')
    .filter((line) => line.startsWith('incoming/'))
    .map((line) => line.split(' '));
  expect(batches.map(({ length }) => length)).toEqual([1000, 1000, 1000, 1000, 1000]);
  expect(new Set(batches.flat()).size).toBe(FILES);
});
