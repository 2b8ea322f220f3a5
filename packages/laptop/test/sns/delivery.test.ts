import { readFile } from 'node:fs/promises';
import {
  CreateTopicCommand,
  GetSubscriptionAttributesCommand,
  ListSubscriptionsByTopicCommand,
  ListTopicsCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReceivedMessage } from '../../sqs/queue.ts';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:in';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
let sns: SNSClient;
let TopicArn: string;

beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock });
  sns = new SNSClient(stack.client);
  TopicArn = (
    await sns.send(new CreateTopicCommand({ Name: 'runs', Attributes: { DisplayName: 'Inference' } }))
  ).TopicArn!;
  for (const QueueName of ['in', 'dead'])
    await new SQSClient(stack.client).send(new CreateQueueCommand({ QueueName }));
});
afterEach(() => stack.close());

async function subscribe(Protocol: string, Endpoint: string): Promise<string> {
  const output = await sns.send(
    new SubscribeCommand({ TopicArn, Protocol, Endpoint, ReturnSubscriptionArn: true }),
  );
  return output.SubscriptionArn!;
}

async function received(queue = QUEUE): Promise<ReceivedMessage['message'][]> {
  const messages = await stack.sqs.queues.open(queue).receive({ max: 100, waitMs: 0 });
  return messages.map(({ message }) => message);
}

const MessageAttributes = { status: { DataType: 'String', StringValue: 'completed' } };

test('a queue gets the message in an envelope', async () => {
  const SubscriptionArn = await subscribe('sqs', QUEUE);
  const { MessageId } = await sns.send(
    new PublishCommand({ TopicArn, Message: 'dône', Subject: 'Run ended', MessageAttributes }),
  );
  const [message] = await received();
  expect(JSON.parse(message!.body)).toEqual({
    Type: 'Notification',
    MessageId,
    TopicArn,
    Subject: 'Run ended',
    Message: 'dône',
    Timestamp: new Date(clock.now()).toISOString(),
    SignatureVersion: '1',
    Signature: expect.any(String),
    SigningCertURL: expect.any(String),
    UnsubscribeURL: expect.stringContaining(encodeURIComponent(SubscriptionArn)),
    MessageAttributes: { status: { Type: 'String', Value: 'completed' } },
  });
});

test('an e-mail lies in the outbox', async () => {
  await subscribe('email', 'a@example.com');
  await sns.send(
    new PublishCommand({ TopicArn, Message: 'accuracy 91 %\nünïcode', Subject: 'Run p/d/000001 completed' }),
  );
  expect(stack.emails).toMatchObject([{ to: 'a@example.com', subject: 'Run p/d/000001 completed' }]);
  const [head = '', body = ''] = (await readFile(stack.emails[0]!.path, 'utf8')).split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'From: "Inference" <no-reply@sns.local>',
      'To: a@example.com',
      'Subject: Run p/d/000001 completed',
      'Date: Thu, 01 Jan 2026 00:00:00 +0000',
      'Content-Transfer-Encoding: 8bit',
    ]),
  );
  expect(body).toBe('accuracy 91 %\r\nünïcode\r\n');
});

test('an e-mail with a line that mail does not allow is encoded', async () => {
  await subscribe('email', 'a@example.com');
  const Message = `short\n${'ü'.repeat(600)}\nshort`;
  await sns.send(new PublishCommand({ TopicArn, Message }));
  const mail = await readFile(stack.emails[0]!.path, 'utf8');
  const [head, body] = mail.split('\r\n\r\n');
  expect(head).toContain('Content-Transfer-Encoding: base64');
  expect(Buffer.from(body!, 'base64').toString().startsWith(Message)).toBe(true);
});

test('a subscription is listed and described', async () => {
  const SubscriptionArn = await subscribe('sqs', QUEUE);
  const { Subscriptions } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  expect(Subscriptions).toMatchObject([{ SubscriptionArn, Protocol: 'sqs', Endpoint: QUEUE }]);
  const { Attributes } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
  expect(Attributes).toMatchObject({ Protocol: 'sqs', Endpoint: QUEUE, PendingConfirmation: 'false' });
});

test('a message that its queue cannot take is reported', async () => {
  await subscribe('sqs', 'arn:aws:sqs:us-east-1:000000000000:gone');
  await sns.send(new PublishCommand({ TopicArn, Message: 'lost' }));
  expect(stack.reports).toEqual([expect.stringContaining('given up: ')]);
});

test.each(['email-json', 'http', 'https', 'lambda', 'sms'])(
  'a subscription by %s is refused by name',
  async (protocol) => {
    await expect(subscribe(protocol, 'http://127.0.0.1/')).rejects.toThrow(
      `Protocol ${protocol}: the local stack does not emulate it, it has email and sqs`,
    );
  },
);

test.each(['FilterPolicy', 'RawMessageDelivery', 'RedrivePolicy'])(
  'the attribute %s of a subscription is refused by name',
  async (name) => {
    const Attributes = { [name]: 'true' };
    await expect(
      sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: QUEUE, Attributes })),
    ).rejects.toThrow(`the local stack does not emulate ${name} of subscriptions`);
  },
);

test('a topic that does not exist is NotFound, and topics are listed', async () => {
  await expect(
    sns.send(new PublishCommand({ TopicArn: `${TopicArn}x`, Message: 'x' })),
  ).rejects.toMatchObject({
    name: 'NotFoundException',
  });
  expect((await sns.send(new ListTopicsCommand({}))).Topics).toEqual([{ TopicArn }]);
});
