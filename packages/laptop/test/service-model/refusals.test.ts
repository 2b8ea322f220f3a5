import {
  ApplicationAutoScalingClient,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { CloudFormationClient, DescribeStackEventsCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, GetLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridgeClient, PutRuleCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateModelCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { InvokeEndpointCommand, SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import { ListServiceQuotasCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onBadAnswer } from '../support/bad-answer.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';

let stack: LocalStack;
beforeAll(async () => void (stack = await localStack({ onBadAnswer })));
afterAll(() => stack.close());

type Send = (settings: any) => Promise<unknown>;

/** A pattern of the message for each call that AWS refuses before it looks at anything else. */
const REFUSED: readonly (readonly [string, Send, string, string])[] = [
  [
    'sqs: something required is missing',
    (s) => new SQSClient(s).send(new SendMessageCommand({ QueueUrl: 'http://q', MessageBody: undefined })),
    'MissingParameter',
    'The request must contain the parameter MessageBody.',
  ],
  [
    'sqs: a text where a number belongs',
    (s) =>
      new SQSClient(s).send(
        new ReceiveMessageCommand({ QueueUrl: 'http://q', WaitTimeSeconds: '5' as never }),
      ),
    'SerializationException',
    'STRING_VALUE can not be converted to an Integer (WaitTimeSeconds of ReceiveMessage)',
  ],
  [
    'states: too long',
    (s) => new SFNClient(s).send(new StartExecutionCommand({ stateMachineArn: 'a'.repeat(257) })),
    'ValidationException',
    "at 'stateMachineArn' failed to satisfy constraint: Member must have length less than or equal to 256",
  ],
  [
    'sagemaker: pattern, and an enum in a list',
    (s) =>
      new SageMakerClient(s).send(
        new CreateModelCommand({
          ModelName: 'a_b',
          ExecutionRoleArn: 'arn:aws:iam::000000000000:role/r',
          Containers: [{ Mode: 'Twice' as never }],
        }),
      ),
    'ValidationException',
    "2 validation errors detected: Value 'a_b' at 'modelName' failed to satisfy constraint: Member must satisfy " +
      'regular expression pattern: ' +
      "[a-zA-Z0-9]([\\-a-zA-Z0-9]*[a-zA-Z0-9])?; Value 'Twice' at 'containers.1.member.mode' failed to satisfy " +
      'constraint: Member must satisfy enum value set: [SingleModel, MultiModel]',
  ],
  [
    'events: an enum',
    (s) => new EventBridgeClient(s).send(new PutRuleCommand({ Name: 'r', State: 'ON' as never })),
    'ValidationException',
    "Value 'ON' at 'state' failed to satisfy constraint: Member must satisfy enum value set: [ENABLED, DISABLED",
  ],
  [
    'logs: with the code of its API',
    (s) =>
      new CloudWatchLogsClient(s).send(new GetLogEventsCommand({ logGroupName: 'a b', logStreamName: 's' })),
    'InvalidParameterException',
    "Value 'a b' at 'logGroupName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\.\\-_/#A-Za-z0-9]+",
  ],
  [
    'cloudwatch: a range',
    (s) =>
      new CloudWatchClient(s).send(
        new GetMetricStatisticsCommand({
          Namespace: 'n',
          MetricName: 'm',
          StartTime: new Date(0),
          EndTime: new Date(1),
          Period: 0,
          Statistics: ['Sum'],
        }),
      ),
    'ValidationException',
    "Value '0' at 'period' failed to satisfy constraint: Member must have value greater than or equal to 1",
  ],
  [
    'application-autoscaling: an enum',
    (s) =>
      new ApplicationAutoScalingClient(s).send(
        new RegisterScalableTargetCommand({
          ServiceNamespace: 'sagemaker',
          ResourceId: 'endpoint/e/variant/v',
          ScalableDimension: 'sagemaker:variant:Count' as never,
        }),
      ),
    'ValidationException',
    "at 'scalableDimension' failed to satisfy constraint: Member must satisfy enum value set",
  ],
  [
    'service-quotas: a pattern',
    (s) => new ServiceQuotasClient(s).send(new ListServiceQuotasCommand({ ServiceCode: '1' })),
    'IllegalArgumentException',
    "at 'serviceCode' failed to satisfy constraint: Member must satisfy regular expression pattern",
  ],
  [
    'sns: in a map of the Query protocol',
    (s) =>
      new SNSClient(s).send(
        new PublishCommand({
          TopicArn: 't',
          Message: 'm',
          MessageAttributes: { a: { StringValue: 'x' } as never },
        }),
      ),
    'InvalidParameterException',
    "Value null at 'messageAttributes.a.dataType' failed to satisfy constraint: Member must not be null",
  ],
  [
    'cloudformation: something required is missing',
    (s) => new CloudFormationClient(s).send(new DescribeStackEventsCommand({ StackName: undefined })),
    'ValidationError',
    "Value null at 'stackName' failed to satisfy constraint: Member must not be null",
  ],
  [
    'lambda: in the path',
    (s) => new LambdaClient(s).send(new InvokeCommand({ FunctionName: 'a b' })),
    'ValidationException',
    "Value 'a b' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern",
  ],
  [
    'lambda: in the query',
    (s) => new LambdaClient(s).send(new ListFunctionsCommand({ MaxItems: 0 })),
    'ValidationException',
    "Value '0' at 'maxItems' failed to satisfy constraint: Member must have value greater than or equal to 1",
  ],
  [
    'sagemaker-runtime: in a header',
    (s) =>
      new SageMakerRuntimeClient(s).send(
        new InvokeEndpointCommand({ EndpointName: 'e', Body: '', TargetVariant: '-' }),
      ),
    'ValidationError',
    "Value '-' at 'targetVariant' failed to satisfy constraint",
  ],
  [
    's3: in a header',
    (s) =>
      new S3Client(s).send(new PutObjectCommand({ Bucket: 'b', Key: 'k', StorageClass: 'COLD' as never })),
    'InvalidStorageClass',
    'StorageClass: Member must satisfy enum value set: [STANDARD',
  ],
  [
    's3: a header that is not of the call',
    (s) => {
      const client = new S3Client(s);
      client.middlewareStack.add(
        (next) => (args: any) => {
          args.request.headers['x-amz-website-redirect'] = '/';
          return next(args);
        },
        { step: 'build' },
      );
      return client.send(new PutObjectCommand({ Bucket: 'b', Key: 'k' }));
    },
    'NotImplemented',
    'x-amz-website-redirect is not of this call',
  ],
  [
    'sqs: a member that AWS does not know',
    (s) => {
      const client = new SQSClient(s);
      client.middlewareStack.add(
        (next) => (args: any) => {
          args.request.body = JSON.stringify({ QueueUrl: 'http://q', MessageBody: 'm', DelaySecond: 1 });
          args.request.headers['content-length'] = String(args.request.body.length);
          return next(args);
        },
        { step: 'build', priority: 'low' },
      );
      return client.send(new SendMessageCommand({ QueueUrl: 'http://q', MessageBody: 'm' }));
    },
    'InvalidParameterValue',
    "The local stack refuses DelaySecond of SendMessage: AWS's model has no such member; it has QueueUrl, MessageBody, DelaySeconds",
  ],
];

test.each(REFUSED)('%s', async (_, send, name, message) => {
  await expect(send(stack.client)).rejects.toMatchObject({ name, message: expect.stringContaining(message) });
});
