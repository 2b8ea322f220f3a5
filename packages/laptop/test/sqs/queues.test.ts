import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';

let stack: LocalMessaging;
let sqs: SQSClient;
beforeEach(async () => {
  stack = await localMessaging();
  sqs = new SQSClient(stack.client);
});
afterEach(() => stack.close());

test('queues are made, found, listed and deleted', async () => {
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({ QueueName: 'a', Attributes: { VisibilityTimeout: '60' } }),
  );
  await sqs.send(new CreateQueueCommand({ QueueName: 'b' }));
  expect((await sqs.send(new GetQueueUrlCommand({ QueueName: 'a' }))).QueueUrl).toBe(QueueUrl);
  expect((await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'a' }))).QueueUrls).toEqual([QueueUrl]);
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn', 'VisibilityTimeout'] }),
  );
  expect(Attributes).toEqual({ QueueArn: 'arn:aws:sqs:us-east-1:000000000000:a', VisibilityTimeout: '60' });
  await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  await expect(sqs.send(new GetQueueUrlCommand({ QueueName: 'a' }))).rejects.toMatchObject({
    name: 'QueueDoesNotExist',
  });
});

test.each<[string, Record<string, string>, string]>([
  ['a value out of range', { VisibilityTimeout: '43201' }, 'InvalidAttributeValue'],
  ['an attribute that does not exist', { Visibility: '1' }, 'InvalidAttributeName'],
  ['an invalid redrive policy', { RedrivePolicy: '{}' }, 'InvalidParameterValue'],
  ['FIFO', { FifoQueue: 'true' }, 'UnsupportedOperation'],
])('%s is refused', async (_, Attributes, name) => {
  await expect(sqs.send(new CreateQueueCommand({ QueueName: 'x', Attributes }))).rejects.toMatchObject({
    name,
  });
});

test('the same queue with other attributes is QueueNameExists', async () => {
  await sqs.send(new CreateQueueCommand({ QueueName: 'a', Attributes: { DelaySeconds: '1' } }));
  await sqs.send(new CreateQueueCommand({ QueueName: 'a', Attributes: { DelaySeconds: '1' } }));
  await expect(
    sqs.send(new CreateQueueCommand({ QueueName: 'a', Attributes: { DelaySeconds: '2' } })),
  ).rejects.toMatchObject({ name: 'QueueNameExists' });
});

test('what clients get wrong is named', async () => {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'a' }));
  await expect(
    sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'nonsense' })),
  ).rejects.toMatchObject({
    name: 'ReceiptHandleIsInvalid',
  });
  const ReceiptHandle = Buffer.from('no-such-message#1').toString('base64');
  await expect(
    sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 1 })),
  ).rejects.toMatchObject({ name: 'MessageNotInflight' });
  const twice = [1, 2].map((n) => ({ Id: 'same', MessageBody: String(n) }));
  await expect(sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: twice }))).rejects.toMatchObject({
    name: 'BatchEntryIdsNotDistinct',
  });
  const eleven = Array.from({ length: 11 }, (_, n) => ({ Id: String(n), MessageBody: 'x' }));
  await expect(sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: eleven }))).rejects.toMatchObject({
    name: 'TooManyEntriesInBatchRequest',
  });
  await expect(
    sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x'.repeat(1_048_577) })),
  ).rejects.toThrow(/shorter than 1048576 bytes/);
});
