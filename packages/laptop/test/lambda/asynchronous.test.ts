import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

const DEAD = 'arn:aws:sqs:us-east-1:000000000000:dead';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock });
  await new SQSClient(stack.client).send(new CreateQueueCommand({ QueueName: 'dead' }));
});
afterEach(() => stack.close());

async function invokeLater(): Promise<void> {
  const output = await new LambdaClient(stack.client).send(
    new InvokeCommand({ FunctionName: 'f', InvocationType: 'Event', Payload: '{"a":1}' }),
  );
  expect(output.StatusCode).toBe(202);
}

function ended(from: LocalMessaging = stack): number {
  return from.lines('/aws/lambda/f').filter((line) => line.startsWith('REPORT')).length;
}

async function dead(): Promise<unknown[]> {
  const messages = await stack.sqs.queues.open(DEAD).receive({ max: 10, waitMs: 0 });
  return messages.map(({ message }) => ({ body: JSON.parse(message.body), attributes: message.attributes }));
}

const THROWS = 'export const handler = async () => { throw new Error("no") }';

/** Lets an event fail three times, a minute and two minutes apart. */
async function failForGood(): Promise<void> {
  await invokeLater();
  await until(() => ended() === 1);
  await clock.advance(59_999);
  expect(ended()).toBe(1);
  await clock.advance(1);
  await until(() => ended() === 2);
  await clock.advance(120_000);
  await until(() => ended() === 3);
}

test('an event that failed three times goes to the dead-letter queue', async () => {
  await stack.makeFunction('f', THROWS, { DeadLetterConfig: { TargetArn: DEAD } });
  await failForGood();
  await until(() => stack.sqs.queues.open(DEAD).counts().visible === 1);
  expect(await dead()).toMatchObject([
    { body: { a: 1 }, attributes: { ErrorMessage: { StringValue: expect.stringContaining('"no"') } } },
  ]);
});

test('an event that is given up without a dead-letter queue is reported', async () => {
  await stack.makeFunction('f', THROWS);
  await failForGood();
  await until(() => stack.reports.length === 1);
  expect(stack.reports[0]).toMatch(/event .* given up \(RetriesExhausted\)/);
});

test('an event that waits for its retry is taken up again after a restart', async () => {
  await stack.makeFunction('f', THROWS);
  await invokeLater();
  await until(() => ended() === 1);
  await stack.close();
  const again = await localMessaging({ clock, dir: stack.dir });
  try {
    await until(() => ended(again) === 1);
  } finally {
    await again.close();
  }
});

test('an event for a function that is not there is refused', async () => {
  await expect(invokeLater()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
