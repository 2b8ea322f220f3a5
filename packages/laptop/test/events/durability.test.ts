import {
  DeleteRuleCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { expect, test } from 'vitest';
import { localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:in';
const Properties = {
  Name: 'uploads',
  EventPattern: { source: ['aws.s3'] },
  Targets: [{ Id: 'q', Arn: QUEUE, RetryPolicy: { MaximumRetryAttempts: '3' } }],
};

test('rules, targets and schedules survive a restart', async () => {
  const clock = manualClock();
  const stack = await localMessaging({ clock });
  await stack.make('AWS::SQS::Queue', { QueueName: 'in' });
  await stack.make('AWS::Events::Rule', Properties);
  await stack.make('AWS::Events::Rule', {
    Name: 'daily',
    ScheduleExpression: 'rate(1 day)',
    Targets: [{ Id: 'q', Arn: QUEUE, Input: '{"tick":1}' }],
  });
  await stack.close();
  const again = await localMessaging({ clock, dir: stack.dir });
  try {
    await again.events.bus.put({ source: 'aws.s3', 'detail-type': 'Object Created', detail: {} });
    await clock.advance(86_400_000);
    const bodies = (await again.sqs.queues.open(QUEUE).receive({ max: 10, waitMs: 0 })).map(({ message }) =>
      JSON.parse(message.body),
    );
    expect(bodies).toMatchObject([{ source: 'aws.s3' }, { tick: 1 }]);
  } finally {
    await again.close();
  }
});

test('a rule of a template is described, listed, emptied and deleted', async () => {
  const stack = await localMessaging();
  try {
    const { ref, attributes } = await stack.make('AWS::Events::Rule', Properties);
    expect({ ref, attributes }).toEqual({
      ref: 'uploads',
      attributes: { Arn: 'arn:aws:events:us-east-1:000000000000:rule/uploads' },
    });
    const events = new EventBridgeClient(stack.client);
    expect(await events.send(new DescribeRuleCommand({ Name: ref }))).toMatchObject({
      EventPattern: '{"source":["aws.s3"]}',
      State: 'ENABLED',
    });
    expect((await events.send(new ListRulesCommand({}))).Rules).toHaveLength(1);
    expect((await events.send(new ListTargetsByRuleCommand({ Rule: ref }))).Targets).toEqual([
      { Id: 'q', Arn: QUEUE, RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 86_400 } },
    ]);
    await expect(events.send(new DeleteRuleCommand({ Name: ref }))).rejects.toThrow(/has targets/);
    await events.send(new RemoveTargetsCommand({ Rule: ref, Ids: ['q'] }));
    await events.send(new DeleteRuleCommand({ Name: ref }));
    await expect(events.send(new DescribeRuleCommand({ Name: ref }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  } finally {
    await stack.close();
  }
});

test.each([
  [{ EventPattern: { source: 'aws.s3' } }, /source: must be an object or a list/],
  [{ ...Properties, EventBusName: 'other' }, /Event bus other does not exist/],
  [
    { ...Properties, Targets: [{ Id: 'q', Arn: QUEUE, SqsParameters: {} }] },
    /property Targets\.0\.SqsParameters .* not understood/,
  ],
  [
    { ...Properties, Targets: [{ Id: 'q', Arn: QUEUE, Input: '1', InputPath: '$' }] },
    /Only one of Input, InputPath, or InputTransformer must be provided for target q/,
  ],
])('a template with %j is refused', async (properties, message) => {
  const stack = await localMessaging();
  try {
    await expect(stack.make('AWS::Events::Rule', properties)).rejects.toThrow(message);
  } finally {
    await stack.close();
  }
});
