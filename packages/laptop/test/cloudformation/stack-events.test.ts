import {
  CloudFormationClient,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onBadAnswer } from '../support/bad-answer.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';

let stack: LocalStack;
beforeAll(async () => void (stack = await localStack({ onBadAnswer })));
afterAll(() => stack.close());

it('clients see why a deployment failed, and find nothing of it', async () => {
  const Resources = {
    Bucket: { Type: 'AWS::S3::Bucket' },
    Queue: { Type: 'AWS::SQS::Queue', DependsOn: 'Bucket' },
    Topic: { Type: 'AWS::SNS::Topic', DependsOn: 'Queue', Properties: { FifoTopic: true } },
  };
  const attempt = stack.deploy({ stackName: 's', template: JSON.stringify({ Resources }), parameters: {} });
  await expect(attempt).rejects.toThrow(
    /Topic.*FIFO topics are not emulated.*\(stack s is ROLLBACK_COMPLETE now\)/,
  );

  const cloudformation = new CloudFormationClient(stack.client);
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName: 's' }));
  expect(Stacks?.[0]).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE', Outputs: [] });
  const { StackEvents = [] } = await cloudformation.send(new DescribeStackEventsCommand({ StackName: 's' }));
  expect(StackEvents[0]).toMatchObject({ LogicalResourceId: 's', ResourceStatus: 'ROLLBACK_COMPLETE' });
  expect(StackEvents.find(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED')).toMatchObject({
    LogicalResourceId: 'Topic',
    ResourceType: 'AWS::SNS::Topic',
    ResourceStatusReason: expect.stringContaining('FIFO topics'),
  });
  expect((await new S3Client(stack.client).send(new ListBucketsCommand())).Buckets ?? []).toEqual([]);
  expect((await new SQSClient(stack.client).send(new ListQueuesCommand())).QueueUrls ?? []).toEqual([]);
});
