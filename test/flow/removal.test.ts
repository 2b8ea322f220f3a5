import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient, DescribeStackEventsCommand } from '@aws-sdk/client-cloudformation';
import {
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketPolicyCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  CreateModelCommand,
  ListEndpointConfigsCommand,
  ListEndpointsCommand,
  ListModelsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalStack, localStack } from '../../packages/laptop/test/support/local-stack.ts';
import { asDeployer } from '../support/as-deployer.ts';
import { runDeployCommand, takeDeploymentTurn } from '../support/deploy-command.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');
const STAGE = 'gone';
const NAME = `inferdrop-${STAGE}`;
const MODEL = `models/${'0'.repeat(64)}/model.tar.gz`;
const IMAGE = '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu';

let stack: LocalStack;
let clients: {
  readonly s3: S3Client;
  readonly sfn: SFNClient;
  readonly sagemaker: SageMakerClient;
  readonly cloudformation: CloudFormationClient;
};
let endTurn: () => Promise<void>;
beforeAll(async () => void (endTurn = await takeDeploymentTurn()), 1_800_000);
afterAll(() => endTurn());
beforeAll(async () => {
  stack = await localStack({ onProblem: () => undefined });
  clients = {
    s3: new S3Client({ ...stack.client, forcePathStyle: true }),
    sfn: new SFNClient(stack.client),
    sagemaker: new SageMakerClient(stack.client),
    cloudformation: new CloudFormationClient(stack.client),
  };
});
afterAll(() => stack.close());

const output = (wanted: string) => stack.find(NAME).outputs.find(({ key }) => key === wanted)!.value;
const put = (Bucket: string, Key: string, Body: Buffer | string) =>
  clients.s3.send(new PutObjectCommand({ Bucket, Key, Body }));

/** An endpoint as the application makes one. */
async function serve(bucket: string): Promise<void> {
  const { sagemaker } = clients;
  const Tags = [
    { Key: 'inferdrop:application', Value: bucket },
    { Key: 'inferdrop:pipeline', Value: 'digits' },
  ];
  const role = stack.find(NAME).resources.find(({ logicalId }) => logicalId === 'ModelRole')!.physicalId;
  await sagemaker.send(
    new CreateModelCommand({
      ModelName: `${NAME}-digits`,
      ExecutionRoleArn: `arn:aws:iam::000000000000:role/${role}`,
      PrimaryContainer: { Image: IMAGE, ModelDataUrl: `s3://${bucket}/${MODEL}` },
      Tags,
    }),
  );
  await sagemaker.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: `${NAME}-digits`,
      ProductionVariants: [
        {
          VariantName: 'v',
          ModelName: `${NAME}-digits`,
          InstanceType: 'ml.m5.large',
          InitialInstanceCount: 1,
        },
      ],
      Tags,
    }),
  );
  await sagemaker.send(
    new CreateEndpointCommand({
      EndpointName: `${NAME}-digits`,
      EndpointConfigName: `${NAME}-digits`,
      Tags,
    }),
  );
}

/** An endpoint of type lambda, which is two documents of the bucket. */
async function serveInFunction(bucket: string): Promise<void> {
  const tags = { 'inferdrop:application': bucket, 'inferdrop:pipeline': 'letters' };
  const model = { sha256: '0'.repeat(64), imageUri: IMAGE, environment: {} };
  await put(
    bucket,
    `functions/configs/${NAME}-letters-1.json`,
    JSON.stringify({ schema: 1, variantName: 'v', modelName: 'm', memorySizeInMB: 1769, model, tags }),
  );
  await put(
    bucket,
    `functions/endpoints/${NAME}-letters.json`,
    JSON.stringify({ schema: 1, configName: `${NAME}-letters-1`, createdAt: '2026-11-01T00:00:00Z', tags }),
  );
  await put(bucket, 'endpoints/letters/served.json', '{}');
}

/** A run that waits for the rest of its drop. */
async function drop(bucket: string): Promise<void> {
  const config = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
  await put(
    bucket,
    'pipelines/digits/pipeline.json',
    JSON.stringify({ ...config, drop: { quietSeconds: 600 } }),
  );
  await put(bucket, 'incoming/digits/first/0001.png', 'no image');
  await expect.poll(runningExecutions).toBe(1);
}

async function runningExecutions(): Promise<number> {
  const stateMachineArn = output('StateMachineArn');
  const { executions = [] } = await clients.sfn.send(
    new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' }),
  );
  return executions.length;
}

test('remove ends what runs only when asked to; the bucket that stays is taken into the next stack', async () => {
  const { s3, sagemaker } = clients;
  expect((await runDeployCommand(stack, 'deploy', '--stage', STAGE)).said).toContain('Service deployed');
  const bucket = output('BucketName');
  await put(bucket, MODEL, await readFile(path.join(EXAMPLE, 'model.tar.gz')));
  await serve(bucket);
  await serveInFunction(bucket);
  await drop(bucket);

  // All of it with the rights of the docs' two policies alone.
  const credentials = await asDeployer(stack);
  const remove = (...options: string[]) =>
    runDeployCommand({ endpoint: stack.endpoint, credentials }, 'remove', '--stage', STAGE, ...options);
  const QueueUrl = output('DeadLetterQueueUrl');
  await new SQSClient(stack.client).send(new SendMessageCommand({ QueueUrl, MessageBody: 'a letter' }));
  const refused = await remove();
  expect(refused.code).not.toBe(0);
  expect(refused.said).toContain(`endpoint ${NAME}-digits (`);
  expect(refused.said).toContain(`endpoint ${NAME}-letters (InService)`);
  expect(refused.said).toMatch(/execution inferdrop-gone-batch-inference\/digits-first-000001-/);
  expect(refused.said).toContain(
    `${NAME} is not removed: its dead-letter queue, which goes with it, has 1 message.`,
  );
  expect(refused.said).toContain('inferdrop remove … --yes');
  expect(stack.statusOf(NAME)).toBe('UPDATE_COMPLETE');

  const removed = await remove('--yes');
  expect(removed.said).toContain('successfully removed');
  expect(stack.statusOf(NAME)).toBeUndefined();
  expect((await sagemaker.send(new ListEndpointsCommand())).Endpoints).toEqual([]);
  expect((await sagemaker.send(new ListEndpointConfigsCommand())).EndpointConfigs).toEqual([]);
  expect((await sagemaker.send(new ListModelsCommand())).Models).toEqual([]);
  await expect(s3.send(new GetBucketPolicyCommand({ Bucket: bucket }))).rejects.toThrow();
  // A stack that takes the bucket over serves nothing.
  for (const Prefix of ['functions/', 'endpoints/'])
    expect((await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix }))).KeyCount).toBe(0);

  const adopted = await runDeployCommand(
    stack,
    ...(['deploy', '--stage', STAGE, '--param', `bucketName=${bucket}`] as const),
    ...(['--param', 'runsRetentionDays=7'] as const),
  );
  expect(adopted.said).toContain('Service deployed');
  expect(output('BucketName')).toBe(bucket);
  await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: 'incoming/digits/first/0001.png' }));
  const { Rules = [] } = await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }));
  expect(Rules.find(({ ID }) => ID === 'runs')?.Expiration?.Days).toBe(7);
  expect(await s3.send(new GetBucketNotificationConfigurationCommand({ Bucket: bucket }))).toMatchObject({
    EventBridgeConfiguration: {},
  });
  expect(await s3.send(new GetBucketEncryptionCommand({ Bucket: bucket }))).toMatchObject({
    ServerSideEncryptionConfiguration: expect.anything(),
  });
  expect((await s3.send(new GetBucketPolicyCommand({ Bucket: bucket }))).Policy).toContain('TlsOnly');
  const { StackEvents = [] } = await clients.cloudformation.send(
    new DescribeStackEventsCommand({ StackName: stack.find(NAME).stackId }),
  );
  expect(StackEvents.length).toBeGreaterThan(0);
  expect(stack.find(NAME).events.map(({ logicalId, status }) => `${logicalId} ${status}`)).toContain(
    'Bucket IMPORT_COMPLETE',
  );

  const other = await runDeployCommand(stack, 'deploy', '--stage', STAGE, '--param', 'bucketName=other');
  expect(other.said).toContain(`bucketName must be ${bucket}`);
  expect(other.code).not.toBe(0);
  const kept = await runDeployCommand(stack, 'deploy', '--stage', STAGE);
  expect(kept.said).toContain('No changes to deploy');
  expect(output('BucketName')).toBe(bucket);
  const elsewhere = await runDeployCommand(
    stack,
    ...(['deploy', '--stage', 'other', '--param', `bucketName=${bucket}`] as const),
  );
  expect(elsewhere.said).toContain('the bucket cannot be imported');
  expect(stack.statusOf('inferdrop-other')).toBeUndefined();

  await put(bucket, 'incoming/digits/second/0001.png', 'no image');
  await expect.poll(runningExecutions).toBe(1);
});
