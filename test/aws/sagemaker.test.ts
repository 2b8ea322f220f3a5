import {
  CreateModelCommand,
  CreateTransformJobCommand,
  DescribeModelCommand,
  DescribeTransformJobCommand,
  ListTagsCommand,
  SageMakerClient,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { sageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import type { TransformJobSpec } from '../../src/aws/sagemaker/transform-job.ts';

const client = mockClient(SageMakerClient);
const sagemaker = sageMaker();
beforeEach(() => client.reset());

const failure = (name: string, message: string) => Object.assign(new Error(message), { name });
const job: TransformJobSpec = {
  name: 'job-1',
  modelName: 'model-1',
  input: { kind: 'manifest', uri: 's3://bucket/runs/p/d/000001/jobs/1/input.manifest' },
  contentType: 'application/x-image',
  splitType: 'None',
  outputUri: 's3://bucket/runs/p/d/000001/predictions/',
  accept: 'application/json',
  assembleWith: 'None',
  instanceType: 'ml.g4dn.xlarge',
  instanceCount: 2,
  amiVersion: 'al2-ami-sagemaker-batch-gpu-535',
  maxConcurrentTransforms: 8,
  maxPayloadInMB: 6,
  batchStrategy: 'SingleRecord',
  invocationsTimeoutInSeconds: 600,
  invocationsMaxRetries: 3,
  tags: { 'inferdrop:run': 'p/d (neu)/000001' },
};

it('asks for a transform job in full, with tags that AWS takes', async () => {
  client.on(CreateTransformJobCommand).resolves({ TransformJobArn: 'arn' });
  expect(await sagemaker.startTransformJob(job)).toEqual({ arn: 'arn' });
  expect(client.commandCalls(CreateTransformJobCommand)[0]!.args[0].input).toEqual({
    TransformJobName: 'job-1',
    ModelName: 'model-1',
    MaxConcurrentTransforms: 8,
    MaxPayloadInMB: 6,
    BatchStrategy: 'SingleRecord',
    ModelClientConfig: { InvocationsTimeoutInSeconds: 600, InvocationsMaxRetries: 3 },
    TransformInput: {
      DataSource: { S3DataSource: { S3DataType: 'ManifestFile', S3Uri: job.input.uri } },
      ContentType: 'application/x-image',
      SplitType: 'None',
    },
    TransformOutput: { S3OutputPath: job.outputUri, Accept: 'application/json', AssembleWith: 'None' },
    TransformResources: {
      InstanceType: 'ml.g4dn.xlarge',
      InstanceCount: 2,
      TransformAmiVersion: 'al2-ami-sagemaker-batch-gpu-535',
    },
    Tags: [{ Key: 'inferdrop:run', Value: 'p/d _neu_/000001' }],
  });
});

it('asks for a model with network and role', async () => {
  client.on(CreateModelCommand).resolves({ ModelArn: 'arn' });
  await sagemaker.createModel({
    name: 'model-1',
    roleArn: 'role',
    imageUri: 'image',
    artifactUri: 's3://bucket/models/x/model.tar.gz',
    environment: { A: 'b' },
    vpc: { subnets: ['subnet-1'], securityGroups: ['sg-1'] },
    networkIsolation: true,
  });
  expect(client.commandCalls(CreateModelCommand)[0]!.args[0].input).toEqual({
    ModelName: 'model-1',
    ExecutionRoleArn: 'role',
    PrimaryContainer: {
      Image: 'image',
      ModelDataUrl: 's3://bucket/models/x/model.tar.gz',
      Environment: { A: 'b' },
    },
    VpcConfig: { Subnets: ['subnet-1'], SecurityGroupIds: ['sg-1'] },
    EnableNetworkIsolation: true,
    Tags: [],
  });
});

it('describes a job in plain words', async () => {
  const at = new Date('2026-03-01T12:00:00Z');
  client.on(DescribeTransformJobCommand).resolves({
    TransformJobArn: 'arn',
    TransformJobStatus: 'Failed',
    FailureReason: 'ClientError: See job logs for more information',
    ModelName: 'model-1',
    TransformResources: { InstanceType: 'ml.m5.large', InstanceCount: 1 },
    TransformInput: { DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/in/' } } },
    TransformOutput: { S3OutputPath: 's3://bucket/out/' },
    CreationTime: at,
    TransformStartTime: at,
  });
  expect(await sagemaker.describeTransformJob('job-1')).toEqual({
    name: 'job-1',
    arn: 'arn',
    status: 'Failed',
    failureReason: 'ClientError: See job logs for more information',
    modelName: 'model-1',
    instanceType: 'ml.m5.large',
    instanceCount: 1,
    inputUri: 's3://bucket/in/',
    outputUri: 's3://bucket/out/',
    createdAt: at,
    startedAt: at,
  });
});

describe('errors', () => {
  it.each([
    ['ThrottlingException', 'Rate exceeded', 'Throttled'],
    ['ResourceInUse', 'Job name must be unique', 'ResourceInUse'],
    ['ResourceLimitExceeded', "The account-level service limit '…' is 0 Instances", 'ResourceLimitExceeded'],
    ['AccessDeniedException', 'not authorized', 'AccessDenied'],
    ['ValidationException', '1 validation error detected', 'ValidationException'],
    ['ValidationException', 'Could not find model "arn".', 'NotFound'],
    ['ResourceNotFound', 'gone', 'NotFound'],
  ])('of name %s and message %s are named %s', async (name, message, expected) => {
    client.on(CreateTransformJobCommand).rejects(failure(name, message));
    await expect(sagemaker.startTransformJob(job)).rejects.toMatchObject({ name: expected, message });
  });

  it.each([
    ['ValidationException', 'Could not find requested job with name: job-1'],
    ['ValidationException', 'Requested resource not found.'],
    ['ResourceNotFound', 'job-1'],
  ])('%s: %s describe nothing', async (name, message) => {
    client.on(DescribeTransformJobCommand).rejects(failure(name, message));
    client.on(DescribeModelCommand).rejects(failure(name, message));
    expect(await sagemaker.describeTransformJob('job-1')).toBeUndefined();
    expect(await sagemaker.describeModel('model-1')).toBeUndefined();
  });

  it('leave a job alone that has ended, and no other', async () => {
    const ended = 'The request was rejected because the transform job is in status Completed.';
    client
      .on(StopTransformJobCommand)
      .rejectsOnce(failure('ValidationException', ended))
      .rejects(failure('ValidationException', 'name is too long'));
    await sagemaker.stopTransformJob('job-1');
    await expect(sagemaker.stopTransformJob('job-1')).rejects.toThrow('name is too long');
  });
});

it('reads all tags', async () => {
  client
    .on(ListTagsCommand)
    .resolvesOnce({ Tags: [{ Key: 'a', Value: '1' }], NextToken: 'more' })
    .resolves({ Tags: [{ Key: 'b', Value: '2' }] });
  expect(await sagemaker.tagsOf('arn')).toEqual({ a: '1', b: '2' });
});
