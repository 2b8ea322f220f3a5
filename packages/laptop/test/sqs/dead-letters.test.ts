import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';

let stack: LocalMessaging;
let sqs: SQSClient;
let QueueUrl: string;
let deadUrl: string;

beforeAll(async () => {
  stack = await localMessaging();
  sqs = new SQSClient(stack.client);
  deadUrl = (await sqs.send(new CreateQueueCommand({ QueueName: 'dead' }))).QueueUrl!;
  QueueUrl = (await sqs.send(new CreateQueueCommand({ QueueName: 'in' }))).QueueUrl!;
});
afterAll(() => stack.close());

test('a message received too often moves to the dead-letter queue with id and source', async () => {
  const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:000000000000:dead';
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: '2' });
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }));
  const { MessageId } = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'poison' }));
  for (const _ of [1, 2]) {
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    const { ReceiptHandle } = Messages![0]!;
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  }
  expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toBeUndefined();
  const dead = await sqs.send(new ReceiveMessageCommand({ QueueUrl: deadUrl, AttributeNames: ['All'] }));
  expect(dead.Messages).toMatchObject([
    {
      MessageId,
      Body: 'poison',
      Attributes: {
        ApproximateReceiveCount: '1',
        DeadLetterQueueSourceArn: 'arn:aws:sqs:us-east-1:000000000000:in',
      },
    },
  ]);
});

test('a dead-letter queue that is not there is refused', async () => {
  const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:000000000000:daed';
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 });
  const refused = { message: expect.stringMatching(/Reason: Dead letter target does not exist/) };
  await expect(
    sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } })),
  ).rejects.toMatchObject(refused);
  await expect(
    sqs.send(new CreateQueueCommand({ QueueName: 'new', Attributes: { RedrivePolicy } })),
  ).rejects.toMatchObject(refused);
});
