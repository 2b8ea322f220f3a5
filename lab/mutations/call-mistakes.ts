import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { topic } from '../../src/aws/messages/topic.ts';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';
import { type ModelSpec, sageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import type { TransformJobSpec } from '../../src/aws/sagemaker/transform-job.ts';
import { executions } from '../../src/aws/states/executions.ts';

/** Resources that a call can name. */
export interface CallPlace {
  readonly bucket: string;
  readonly modelName: string;
  readonly topicArn: string;
  readonly queueUrl: string;
  readonly machineArn: string;
}

/** One deliberate mistake in a call of `src/aws`. */
export interface CallMistake {
  readonly mistake: string;
  readonly send: (place: CallPlace) => Promise<unknown>;
  readonly says: string | RegExp;
}

const job = ({ bucket, modelName }: CallPlace, wrong: Partial<Record<keyof TransformJobSpec, unknown>>) =>
  sageMaker().startTransformJob({
    name: 'job',
    modelName,
    input: { kind: 'prefix', uri: `s3://${bucket}/shared/` },
    contentType: 'image/png',
    splitType: 'None',
    outputUri: `s3://${bucket}/runs/p`,
    accept: 'application/json',
    assembleWith: 'None',
    instanceType: 'ml.m5.large',
    instanceCount: 1,
    maxConcurrentTransforms: 1,
    maxPayloadInMB: 6,
    batchStrategy: 'SingleRecord',
    invocationsTimeoutInSeconds: 60,
    invocationsMaxRetries: 0,
    ...(wrong as object),
  });

const model = (wrong: Partial<Record<keyof ModelSpec, unknown>>) =>
  sageMaker().createModel({
    name: 'a-model',
    roleArn: 'arn:aws:iam::000000000000:role/model',
    imageUri: '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19-cpu',
    artifactUri: 's3://bucket/model.tar.gz',
    environment: {},
    networkIsolation: true,
    ...(wrong as object),
  });

/** In the calls of `src/aws`, each seen when it is sent. */
export const CALL_MISTAKES: readonly CallMistake[] = [
  {
    mistake: 'a batch strategy is misspelt',
    send: (place) => job(place, { batchStrategy: 'MultiRecords' }),
    says:
      "1 validation error detected: Value 'MultiRecords' at 'batchStrategy' failed to satisfy constraint: Member must " +
      'satisfy enum value set: [',
  },
  {
    mistake: 'a job’s name has 64 characters',
    send: (place) => job(place, { name: 'j'.repeat(64) }),
    says: "at 'transformJobName' failed to satisfy constraint: Member must have length less than or equal to 63",
  },
  {
    mistake: 'requests in flight hold more than 100 MB together',
    send: (place) => job(place, { maxConcurrentTransforms: 32, maxPayloadInMB: 6 }),
    says: /MaxConcurrentTransforms.*MaxPayloadInMB.*100/,
  },
  {
    mistake: 'a request may take longer than an hour',
    send: (place) => job(place, { invocationsTimeoutInSeconds: 3601 }),
    says:
      "Value '3601' at 'modelClientConfig.invocationsTimeoutInSeconds' failed to satisfy constraint: Member must have " +
      'value less than or equal to 3600',
  },
  {
    mistake: 'a required member is missing',
    send: (place) => job(place, { outputUri: undefined }),
    says: "Value null at 'transformOutput.s3OutputPath' failed to satisfy constraint: Member must not be null",
  },
  {
    mistake: 'an instance type does not exist',
    send: (place) => job(place, { instanceType: 'ml.m5.huge' }),
    says: "Value 'ml.m5.huge' at 'transformResources.instanceType' failed to satisfy constraint: Member must satisfy enum value set: [",
  },
  {
    mistake: 'a job’s name is used again',
    send: async (place) => {
      await job(place, { name: 'twice' });
      await job(place, { name: 'twice' });
    },
    says: /ResourceInUse.*twice|Job name must be unique within an AWS account and region, and a job with this name already exists/,
  },
  {
    mistake: 'a role is no ARN',
    send: () => model({ roleArn: 'ModelRole' }),
    says: "Value 'ModelRole' at 'executionRoleArn' failed to satisfy constraint: Member must",
  },
  {
    mistake: 'an object’s key has 1,025 bytes',
    send: ({ bucket }) => objectStore({ bucket }).write('k'.repeat(1025), 'x'),
    says: /KeyTooLongError.*Your key is too long/,
  },
  {
    mistake: 'a message has 300 kB',
    send: ({ topicArn }) =>
      topic({ arn: topicArn }).publish({ subject: 's', body: 'x'.repeat(300_000), attributes: {} }),
    says: /InvalidParameter.*Invalid parameter: Message too long/,
  },
  {
    mistake: 'a message has an attribute without a value',
    send: ({ topicArn }) =>
      topic({ arn: topicArn }).publish({ subject: 's', body: 'x', attributes: { run: '' } }),
    says: /The message attribute 'run' must contain non-empty message attribute value for message attribute type 'String'\./,
  },
  {
    mistake: 'eleven messages go at once',
    send: ({ queueUrl: QueueUrl }) =>
      new SQSClient().send(
        new SendMessageBatchCommand({
          QueueUrl,
          Entries: Array.from({ length: 11 }, (_, index) => ({ Id: `m${index}`, MessageBody: 'x' })),
        }),
      ),
    says: 'Maximum number of entries per request are 10. You have sent 11.',
  },
  {
    mistake: 'an execution’s name has a space',
    send: ({ machineArn }) => executions({ stateMachineArn: machineArn }).start('a run', '{}'),
    says: "InvalidName: Invalid Name: 'a run'",
  },
  {
    mistake: 'an execution’s input has 300 kB',
    send: ({ machineArn }) =>
      executions({ stateMachineArn: machineArn }).start('run', JSON.stringify('x'.repeat(300_000))),
    says: /at 'input' failed to satisfy constraint: Member must have length less than or equal to 262144/,
  },
];
