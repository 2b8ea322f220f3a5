import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateTopicCommand,
  GetSubscriptionAttributesCommand,
  ListSubscriptionsByTopicCommand,
  ListTopicsCommand,
  PublishBatchCommand,
  PublishCommand,
  SetSubscriptionAttributesCommand,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import type { ReceivedMessage } from '../../sqs/queue.ts';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { until } from '../support/until.ts';

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

async function subscribe(
  Protocol: string,
  Endpoint: string,
  Attributes: Record<string, string> = {},
): Promise<string> {
  const output = await sns.send(
    new SubscribeCommand({ TopicArn, Protocol, Endpoint, Attributes, ReturnSubscriptionArn: true }),
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

test('a queue that wants it raw gets the bare message with attributes', async () => {
  await subscribe('sqs', QUEUE, { RawMessageDelivery: 'true' });
  await sns.send(new PublishCommand({ TopicArn, Message: 'bare', MessageAttributes }));
  expect(await received()).toMatchObject([{ body: 'bare', attributes: MessageAttributes }]);
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
  expect(body).toBe('accuracy 91 %\r\nünïcode');
});

test('a function gets it as a record', async () => {
  await stack.makeFunction(
    'reader',
    `export const handler = async (event) => process.stdout.write(JSON.stringify(event))`,
  );
  await subscribe('lambda', 'arn:aws:lambda:us-east-1:000000000000:function:reader');
  await sns.send(new PublishCommand({ TopicArn, Message: 'hello', MessageAttributes }));
  await until(() => stack.lines('/aws/lambda/reader').some((line) => line.startsWith('{"Records"')));
  const event = JSON.parse(stack.lines('/aws/lambda/reader').find((line) => line.startsWith('{"Records"'))!);
  expect(event.Records).toMatchObject([
    {
      EventSource: 'aws:sns',
      Sns: { Message: 'hello', Subject: null, MessageAttributes: { status: { Value: 'completed' } } },
    },
  ]);
});

test('an HTTP endpoint confirms by visiting the link, and gets messages from then on', async () => {
  const posts: { type: string | undefined; body: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      posts.push({
        type: request.headers['x-amz-sns-message-type'] as string,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  try {
    await subscribe('http', endpoint);
    await until(() => posts.length === 1);
    expect(posts[0]!.type).toBe('SubscriptionConfirmation');
    await sns.send(new PublishCommand({ TopicArn, Message: 'too early' }));

    const visit = await fetch(posts[0]!.body['SubscribeURL']!);
    expect(visit.status).toBe(200);
    const { Subscriptions } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
    expect(Subscriptions).toMatchObject([
      { Protocol: 'http', SubscriptionArn: expect.stringContaining(TopicArn) },
    ]);

    await sns.send(new PublishCommand({ TopicArn, Message: 'now' }));
    await until(() => posts.length === 2);
    expect(posts[1]).toMatchObject({ type: 'Notification', body: { Message: 'now' } });
  } finally {
    server.close();
  }
});

test.each([['http://example.com/hook'], ['http://169.254.169.254/'], ['http://127.0.0.1.example.com/']])(
  '%s is another machine and refused',
  async (endpoint) => {
    await expect(subscribe('http', endpoint)).rejects.toThrow(/this machine only/);
  },
);

test.each([
  ['MessageAttributes', { status: ['completed'] }, true],
  ['MessageAttributes', { status: [{ 'anything-but': 'completed' }] }, false],
  ['MessageAttributes', { count: [{ numeric: ['>=', 10] }] }, true],
  ['MessageAttributes', { tags: ['b'] }, true],
  ['MessageAttributes', { other: [{ exists: false }] }, true],
  ['MessageBody', { run: { status: ['completed'] } }, true],
  ['MessageBody', { run: { status: ['failed'] } }, false],
])('a filter policy on %s: %j → %s', async (FilterPolicyScope, policy, passes) => {
  await subscribe('sqs', QUEUE, { FilterPolicy: JSON.stringify(policy), FilterPolicyScope });
  await sns.send(
    new PublishCommand({
      TopicArn,
      Message: '{"run":{"status":"completed"}}',
      MessageAttributes: {
        ...MessageAttributes,
        count: { DataType: 'Number', StringValue: '12' },
        tags: { DataType: 'String.Array', StringValue: '["a","b"]' },
      },
    }),
  );
  expect(await received()).toHaveLength(passes ? 1 : 0);
});

test('attributes of a subscription can be read and changed', async () => {
  const SubscriptionArn = await subscribe('sqs', QUEUE);
  const AttributeName = 'FilterPolicy';
  await sns.send(
    new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName, AttributeValue: '{"a":["b"]}' }),
  );
  const { Attributes } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
  expect(Attributes).toMatchObject({
    Protocol: 'sqs',
    Endpoint: QUEUE,
    FilterPolicy: '{"a":["b"]}',
    RawMessageDelivery: 'false',
  });
  await expect(
    sns.send(
      new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName, AttributeValue: '{"a":"b"}' }),
    ),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' });
});

test('a message that its queue cannot take goes to the dead-letter queue of the subscription', async () => {
  const dead = 'arn:aws:sqs:us-east-1:000000000000:dead';
  await subscribe('sqs', 'arn:aws:sqs:us-east-1:000000000000:gone', {
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead }),
  });
  await sns.send(new PublishCommand({ TopicArn, Message: 'lost?' }));
  await until(() => stack.sqs.queues.open(dead).counts().visible === 1);
  expect(JSON.parse((await received(dead))[0]!.body)).toMatchObject({ Message: 'lost?' });
});

test('a message of structure json has a body for each protocol', async () => {
  await subscribe('sqs', QUEUE, { RawMessageDelivery: 'true' });
  await subscribe('email', 'a@example.com');
  const Message = JSON.stringify({ default: 'for all', sqs: 'for queues' });
  await sns.send(new PublishCommand({ TopicArn, Message, MessageStructure: 'json' }));
  expect((await received())[0]!.body).toBe('for queues');
  const mail = await readFile(stack.emails[0]!.path, 'utf8');
  expect(mail.split('\r\n\r\n')[1]).toBe('for all');
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

test('a batch takes what it can', async () => {
  await subscribe('sqs', QUEUE, { RawMessageDelivery: 'true' });
  const output = await sns.send(
    new PublishBatchCommand({
      TopicArn,
      PublishBatchRequestEntries: [
        { Id: 'a', Message: 'one' },
        { Id: 'b', Message: 'two', Subject: 'line\nbreak' },
      ],
    }),
  );
  expect(output.Successful).toMatchObject([{ Id: 'a' }]);
  expect(output.Failed).toMatchObject([{ Id: 'b', Code: 'InvalidParameter', SenderFault: true }]);
  expect((await received()).map(({ body }) => body)).toEqual(['one']);
});

test('who unsubscribes gets nothing more', async () => {
  const SubscriptionArn = await subscribe('sqs', QUEUE);
  await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
  await sns.send(new PublishCommand({ TopicArn, Message: 'x' }));
  expect(await received()).toEqual([]);
});

test('a topic that does not exist is NotFound, and topics are listed', async () => {
  await expect(
    sns.send(new PublishCommand({ TopicArn: `${TopicArn}x`, Message: 'x' })),
  ).rejects.toMatchObject({
    name: 'NotFoundException',
  });
  expect((await sns.send(new ListTopicsCommand({}))).Topics).toEqual([{ TopicArn }]);
});
