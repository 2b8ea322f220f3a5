import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { localMessaging } from '../support/local-messaging.ts';

test('topics, subscriptions and policies of a template survive a restart and follow the next template', async () => {
  const stack = await localMessaging();
  const topic = await stack.make('AWS::SNS::Topic', {
    TopicName: 'runs',
    KmsMasterKeyId: 'key',
    Subscription: [{ Protocol: 'email', Endpoint: 'a@example.com' }],
  });
  const Subscription = { TopicArn: topic.ref, Protocol: 'email', Endpoint: 'b@example.com' };
  await stack.make('AWS::SNS::Subscription', Subscription);
  await stack.make('AWS::SNS::TopicPolicy', { Topics: [topic.ref], PolicyDocument: { Statement: [] } });
  await stack.close();

  const again = await localMessaging({ dir: stack.dir });
  try {
    const sns = new SNSClient(again.client);
    expect((await sns.send(new GetTopicAttributesCommand({ TopicArn: topic.ref }))).Attributes).toMatchObject(
      {
        SubscriptionsConfirmed: '2',
        KmsMasterKeyId: 'key',
        Policy: '{"Statement":[]}',
      },
    );
    const publish = (status: string) =>
      again.sns.topics.publish(topic.ref, { body: status, subject: status, attributes: { status } });
    await publish('completed');
    expect(again.emails.map(({ to, subject }) => `${to} ${subject}`)).toEqual([
      'a@example.com completed',
      'b@example.com completed',
    ]);
  } finally {
    await again.close();
  }
});

test.each([
  ['AWS::SNS::Topic', { FifoTopic: true }, /FIFO topics are not emulated/],
  [
    'AWS::SNS::Subscription',
    { TopicArn: 't', Protocol: 'sqs', Endpoint: 'e', FilterPolicy: {} },
    /property FilterPolicy of AWS::SNS::Subscription is not understood/,
  ],
  ['AWS::SNS::Topic', { ArchivePolicy: {} }, /property ArchivePolicy of AWS::SNS::Topic is not understood/],
])('%s with %j is refused', async (type, properties, message) => {
  const stack = await localMessaging();
  try {
    await expect(stack.make(type, properties)).rejects.toThrow(message);
  } finally {
    await stack.close();
  }
});
