import { CloudWatchClient, GetMetricDataCommand, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import {
  DisableRuleCommand,
  EventBridgeClient,
  PutTargetsCommand,
  TestEventPatternCommand,
} from '@aws-sdk/client-eventbridge';
import {
  GetObjectAttributesCommand,
  GetObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateEndpointConfigCommand,
  CreateModelCommand,
  SageMakerClient,
  UpdateTrainingJobCommand,
} from '@aws-sdk/client-sagemaker';
import {
  SendTaskSuccessCommand,
  SFNClient,
  TagResourceCommand,
  ValidateStateMachineDefinitionCommand,
} from '@aws-sdk/client-sfn';
import {
  ConfirmSubscriptionCommand,
  PublishBatchCommand,
  PublishCommand,
  SetSubscriptionAttributesCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import { ChangeMessageVisibilityBatchCommand, CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onBadAnswer } from '../support/bad-answer.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';

let stack: LocalStack;
beforeAll(async () => void (stack = await localStack({ onBadAnswer })));
afterAll(() => stack.close());

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
    'ProductionVariants[0].ManagedInstanceScaling.ScaleInPolicy of CreateEndpointConfig',
    (s) =>
      new SageMakerClient(s).send(
        new CreateEndpointConfigCommand({
          EndpointConfigName: 'c',
          ProductionVariants: [
            { ...variant, ManagedInstanceScaling: { ScaleInPolicy: { Strategy: 'IDLE_RELEASE' } } },
          ],
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
  await expect(send(stack.client)).rejects.toThrow(what);
});

test.each<[call: string, (settings: any) => Promise<unknown>]>([
  [
    'cloudwatch GetMetricData',
    (s) =>
      new CloudWatchClient(s).send(
        new GetMetricDataCommand({ MetricDataQueries: [], StartTime: new Date(0), EndTime: new Date(1) }),
      ),
  ],
  [
    'events TestEventPattern',
    (s) => new EventBridgeClient(s).send(new TestEventPatternCommand({ EventPattern: '{}', Event: '{}' })),
  ],
  ['events DisableRule', (s) => new EventBridgeClient(s).send(new DisableRuleCommand({ Name: 'r' }))],
  [
    'sagemaker UpdateTrainingJob',
    (s) => new SageMakerClient(s).send(new UpdateTrainingJobCommand({ TrainingJobName: 'j' })),
  ],
  [
    'sns PublishBatch',
    (s) => new SNSClient(s).send(new PublishBatchCommand({ TopicArn: 't', PublishBatchRequestEntries: [] })),
  ],
  [
    'sns ConfirmSubscription',
    (s) => new SNSClient(s).send(new ConfirmSubscriptionCommand({ TopicArn: 't', Token: 't' })),
  ],
  [
    'sns SetSubscriptionAttributes',
    (s) =>
      new SNSClient(s).send(
        new SetSubscriptionAttributesCommand({ SubscriptionArn: 's', AttributeName: 'FilterPolicy' }),
      ),
  ],
  [
    'sqs ChangeMessageVisibilityBatch',
    (s) =>
      new SQSClient(s).send(
        new ChangeMessageVisibilityBatchCommand({ QueueUrl: 'http://127.0.0.1/q', Entries: [] }),
      ),
  ],
  ...[
    new SendTaskSuccessCommand({ taskToken: 't', output: '1' }),
    new TagResourceCommand({ resourceArn: 'r', tags: [] }),
    new ValidateStateMachineDefinitionCommand({ definition: '{}' }),
  ].map((command): [string, (settings: any) => Promise<unknown>] => [
    `states ${command.constructor.name.replace('Command', '')}`,
    (s) => new SFNClient(s).send(command as never),
  ]),
])('the local stack does not emulate %s', async (call, send) => {
  await expect(send(stack.client)).rejects.toThrow(`The local stack does not emulate ${call}. It offers: `);
});

test.each([
  [
    'GetObjectAttributes',
    new GetObjectAttributesCommand({ Bucket: 'b', Key: 'k', ObjectAttributes: ['ETag'] }),
  ],
  ['PutObjectTagging', new PutObjectTaggingCommand({ Bucket: 'b', Key: 'k', Tagging: { TagSet: [] } })],
])('S3 refuses %s by its parameter', async (_, command) => {
  const s3 = new S3Client({ ...stack.client, forcePathStyle: true });
  await expect(s3.send(command as never)).rejects.toMatchObject({
    name: 'NotImplemented',
    message: expect.stringMatching(/^The local S3 does not emulate (GET|PUT) on an object with \?/),
  });
});
