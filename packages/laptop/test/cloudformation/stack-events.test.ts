import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CloudFormationClient,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stack, startStack } from '../../stack.ts';
import { onBadAnswer } from '../support/bad-answer.ts';

let dir: string;
let stack: Stack;
let settings: object;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'stack-events-'));
  stack = await startStack({ credentials: { test: 'test' }, port: 0, dir, onBadAnswer });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  settings = { endpoint: stack.endpoint, region: 'us-east-1', credentials };
});
afterAll(async () => {
  await stack.close();
  await rm(dir, { recursive: true, force: true });
});

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

  const cloudformation = new CloudFormationClient(settings);
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName: 's' }));
  expect(Stacks?.[0]).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE', Outputs: [] });
  const { StackEvents = [] } = await cloudformation.send(new DescribeStackEventsCommand({ StackName: 's' }));
  expect(StackEvents[0]).toMatchObject({ LogicalResourceId: 's', ResourceStatus: 'ROLLBACK_COMPLETE' });
  expect(StackEvents.find(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED')).toMatchObject({
    LogicalResourceId: 'Topic',
    ResourceType: 'AWS::SNS::Topic',
    ResourceStatusReason: expect.stringContaining('FIFO topics'),
  });
  expect((await new S3Client(settings).send(new ListBucketsCommand())).Buckets ?? []).toEqual([]);
  expect((await new SQSClient(settings).send(new ListQueuesCommand())).QueueUrls ?? []).toEqual([]);
});
