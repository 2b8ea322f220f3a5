import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
const QueueName = 'kept';

beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock });
});
afterEach(() => stack.close());

async function send(...bodies: string[]): Promise<void> {
  const sqs = new SQSClient(stack.client);
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName }));
  for (const MessageBody of bodies) await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
}

async function receive(from: LocalMessaging) {
  const QueueUrl = `${from.endpoint}/000000000000/${QueueName}`;
  const { Messages = [] } = await new SQSClient(from.client).send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    }),
  );
  return Messages.map(({ Body, Attributes, ReceiptHandle }) => ({
    body: Body,
    count: Attributes?.['ApproximateReceiveCount'],
    handle: ReceiptHandle!,
  }));
}

async function restarted(check: (again: LocalMessaging) => Promise<void>): Promise<void> {
  await stack.close();
  const again = await localMessaging({ clock, dir: stack.dir });
  try {
    await check(again);
  } finally {
    await again.close();
  }
}

test('messages, what was received and what was deleted survive a restart', async () => {
  await send('deleted', 'in flight', 'new');
  const [first] = await receive(stack);
  const QueueUrl = `${stack.endpoint}/000000000000/${QueueName}`;
  await new SQSClient(stack.client).send(
    new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first!.handle }),
  );
  await send('newer');
  await restarted(async (again) => {
    expect((await receive(again)).map(({ body }) => body)).toEqual(['newer']);
    await clock.advance(30_000);
    expect(await receive(again)).toMatchObject([
      { body: 'in flight', count: '2' },
      { body: 'new', count: '2' },
      { body: 'newer', count: '2' },
    ]);
  });
});

test('what an event source mapping held when the stack ended is visible at once', async () => {
  await send('with the mapping', 'with a client');
  const queue = stack.sqs.queues.open(`arn:aws:sqs:us-east-1:000000000000:${QueueName}`);
  await queue.receive({ max: 1, waitMs: 0, endsWithStack: true });
  expect((await receive(stack)).map(({ body }) => body)).toEqual(['with a client']);
  await restarted(async (again) => {
    expect(await receive(again)).toMatchObject([{ body: 'with the mapping', count: '2' }]);
    await clock.advance(30_000);
    expect((await receive(again)).map(({ body }) => body)).toEqual(['with a client', 'with the mapping']);
  });
});

test('a purged queue stays empty', async () => {
  await send('x');
  const QueueUrl = `${stack.endpoint}/000000000000/${QueueName}`;
  await new SQSClient(stack.client).send(new PurgeQueueCommand({ QueueUrl }));
  await restarted(async (again) => expect(await receive(again)).toEqual([]));
});

test('a line that a crash tore off is forgotten, the rest stays', async () => {
  await send('whole');
  await stack.close();
  const file = (await readdir(join(stack.dir, 'sqs'))).find((name) => name.endsWith('.jsonl'))!;
  await appendFile(join(stack.dir, 'sqs', file), '{"send":{"id":"torn","bo');
  await restarted(async (again) => {
    expect((await receive(again)).map(({ body }) => body)).toEqual(['whole']);
  });
  expect(await readFile(join(stack.dir, 'sqs', file), 'utf8')).not.toContain('torn');
});

test('the file does not grow with what is long gone', async () => {
  await send();
  const arn = `arn:aws:sqs:us-east-1:000000000000:${QueueName}`;
  const queue = stack.sqs.queues.open(arn);
  for (let round = 0; round < 12; round++) {
    await Promise.all(
      Array.from({ length: 1000 }, (_, n) => stack.sqs.queues.send(arn, `message ${round}/${n}`)),
    );
    for (const { receiptHandle } of await queue.receive({ max: 1000, waitMs: 0 }))
      queue.delete(receiptHandle);
  }
  await stack.close();
  const file = (await readdir(join(stack.dir, 'sqs'))).find((name) => name.endsWith('.jsonl'))!;
  const lines = (await readFile(join(stack.dir, 'sqs', file), 'utf8')).split('\n').length;
  expect(lines).toBeLessThan(36_000 / 2);
});
