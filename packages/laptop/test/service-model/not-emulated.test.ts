import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { EventBridgeClient, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateEndpointConfigCommand, CreateModelCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../stack.ts';
import { onBadAnswer } from '../support/bad-answer.ts';

let stack: Stack;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'not-emulated-'));
  stack = await startStack({ port: 0, dir, credentials: { test: 'test' }, onBadAnswer });
});

afterAll(async () => {
  await stack.close();
  await rm(dir, { recursive: true, force: true });
});

const variant = {
  VariantName: 'v',
  ModelName: 'm',
  InstanceType: 'ml.m5.large',
  InitialInstanceCount: 1,
} as const;

/** Input that AWS takes and would act upon. */
const CALLS: readonly (readonly [string, (settings: any) => Promise<unknown>])[] = [
  [
    'DataCaptureConfig of CreateEndpointConfig',
    (s) =>
      new SageMakerClient(s).send(
        new CreateEndpointConfigCommand({
          EndpointConfigName: 'c',
          ProductionVariants: [variant],
          DataCaptureConfig: {
            InitialSamplingPercentage: 1,
            DestinationS3Uri: 's3://b',
            CaptureOptions: [{ CaptureMode: 'Input' }],
          },
        }),
      ),
  ],
  [
    'ProductionVariants[0].ManagedInstanceScaling of CreateEndpointConfig',
    (s) =>
      new SageMakerClient(s).send(
        new CreateEndpointConfigCommand({
          EndpointConfigName: 'c',
          ProductionVariants: [{ ...variant, ManagedInstanceScaling: { Status: 'ENABLED' } }],
        }),
      ),
  ],
  [
    'PrimaryContainer.MultiModelConfig of CreateModel',
    (s) =>
      new SageMakerClient(s).send(
        new CreateModelCommand({
          ModelName: 'm',
          PrimaryContainer: { Image: 'i', MultiModelConfig: { ModelCacheSetting: 'Enabled' } },
        }),
      ),
  ],
  [
    'tags of CreateQueue',
    (s) => new SQSClient(s).send(new CreateQueueCommand({ QueueName: 'q', tags: { a: 'b' } })),
  ],
  [
    'PhoneNumber of Publish',
    (s) => new SNSClient(s).send(new PublishCommand({ PhoneNumber: '+15550100', Message: 'm' })),
  ],
  [
    'Targets[0].EcsParameters of PutTargets',
    (s) =>
      new EventBridgeClient(s).send(
        new PutTargetsCommand({
          Rule: 'r',
          Targets: [
            {
              Id: 't',
              Arn: 'arn:aws:ecs:us-east-1:000000000000:cluster/c',
              EcsParameters: { TaskDefinitionArn: 't' },
            },
          ],
        }),
      ),
  ],
  [
    'MetricData[0].StatisticValues of PutMetricData',
    (s) =>
      new CloudWatchClient(s).send(
        new PutMetricDataCommand({
          Namespace: 'n',
          MetricData: [
            { MetricName: 'm', StatisticValues: { SampleCount: 1, Sum: 1, Minimum: 1, Maximum: 1 } },
          ],
        }),
      ),
  ],
  [
    'the header x-amz-request-payer',
    (s) => new S3Client(s).send(new GetObjectCommand({ Bucket: 'b', Key: 'k', RequestPayer: 'requester' })),
  ],
  [
    'the header x-amz-website-redirect-location',
    (s) =>
      new S3Client(s).send(
        new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: 'x', WebsiteRedirectLocation: '/' }),
      ),
  ],
];

test.each(CALLS)('%s is refused by name', async (what, send) => {
  const settings = {
    endpoint: stack.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
  await expect(send(settings)).rejects.toThrow(what);
});
