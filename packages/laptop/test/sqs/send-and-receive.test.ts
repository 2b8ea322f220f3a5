import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';

const clock = manualClock();
let stack: LocalMessaging;
let sqs: SQSClient;

beforeAll(async () => {
  stack = await localMessaging({ clock });
  sqs = new SQSClient(stack.client);
});
afterAll(() => stack.close());

async function queue(name: string, Attributes: Record<string, string> = {}): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  return QueueUrl!;
}

test('a message comes back with the attributes it was sent with', async () => {
  const QueueUrl = await queue('attributes');
  const MessageAttributes = {
    text: { DataType: 'String', StringValue: 'täxt' },
    number: { DataType: 'Number', StringValue: '7' },
    bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 1, 255]) },
  };
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hellö', MessageAttributes }));
  const { Messages } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    }),
  );
  expect(Messages).toHaveLength(1);
  expect(Messages![0]).toMatchObject({ Body: 'hellö', MessageAttributes });
  expect(Messages![0]!.Attributes).toMatchObject({
    ApproximateReceiveCount: '1',
    SentTimestamp: String(clock.now()),
    SenderId: '000000000000',
  });
});

test('a received message is hidden until its visibility timeout, then comes again with a new handle', async () => {
  const QueueUrl = await queue('visibility', { VisibilityTimeout: '10' });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
  const first = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  await clock.advance(9_999);
  expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toBeUndefined();
  await clock.advance(1);
  const second = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['ApproximateReceiveCount'] }),
  );
  expect(second.Messages?.[0]?.Attributes).toEqual({ ApproximateReceiveCount: '2' });

  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first.Messages![0]!.ReceiptHandle }));
  expect(await counts(QueueUrl)).toEqual(['0', '1', '0']);
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: second.Messages![0]!.ReceiptHandle }));
  expect(await counts(QueueUrl)).toEqual(['0', '0', '0']);
});

test('a delayed message is counted as delayed and comes when its delay is over', async () => {
  const QueueUrl = await queue('delayed');
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 5 }));
  expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toBeUndefined();
  expect(await counts(QueueUrl)).toEqual(['0', '0', '1']);
  await clock.advance(5000);
  expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.[0]?.Body).toBe('later');
});

test('a long poll is answered by the next message', async () => {
  const QueueUrl = await queue('long-poll');
  const answer = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'now' }));
  expect((await answer).Messages?.[0]?.Body).toBe('now');
});

test('a long poll ends empty when its time is over', async () => {
  const QueueUrl = await queue('long-poll-empty');
  let answered = false;
  const answer = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 3 })).then((output) => {
    answered = true;
    return output;
  });
  // The request must have arrived before the clock moves on.
  while (!(await Promise.race([answer.then(() => true), clock.advance(1000).then(() => answered)])));
  expect((await answer).Messages).toBeUndefined();
});

test('a batch takes what it can and names what it cannot', async () => {
  const QueueUrl = await queue('batch');
  const output = await sqs.send(
    new SendMessageBatchCommand({
      QueueUrl,
      Entries: [
        { Id: 'good', MessageBody: 'a' },
        { Id: 'bad', MessageBody: 'control \u0001' },
      ],
    }),
  );
  expect(output.Successful?.map(({ Id }) => Id)).toEqual(['good']);
  expect(output.Failed).toMatchObject([{ Id: 'bad', Code: 'InvalidMessageContents', SenderFault: true }]);
});

async function counts(QueueUrl: string): Promise<(string | undefined)[]> {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return [
    Attributes?.['ApproximateNumberOfMessages'],
    Attributes?.['ApproximateNumberOfMessagesNotVisible'],
    Attributes?.['ApproximateNumberOfMessagesDelayed'],
  ];
}
