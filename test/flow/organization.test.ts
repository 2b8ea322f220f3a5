import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  ListEndpointConfigsCommand,
  ListEndpointsCommand,
  ListModelsCommand,
  ListTagsCommand,
  ListTransformJobsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalStack, localStack } from '../../packages/laptop/test/support/local-stack.ts';
import { until } from '../../packages/laptop/test/support/until.ts';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { type Application, connect } from '../../src/cli/application.ts';
import { awaitRun } from '../../src/cli/runs/finish-run.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { asRole } from '../support/as-deployer.ts';
import { type Credentials, runDeployCommand, takeDeploymentTurn } from '../support/deploy-command.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const EXAMPLE = path.join(ROOT, 'examples', 'fashion-mnist');
const AT = 'us-east-1:000000000000';
const IAM = 'arn:aws:iam::000000000000';
const CFN_ROLE = `${IAM}:role/cfn`;
const TOPIC = `arn:aws:sns:${AT}:alarms`;
const policyOf = async (name: string) =>
  JSON.parse(await readFile(path.join(ROOT, 'docs', 'policies', 'aws', `${name}.json`), 'utf8'));
const allow = (Action: string | string[], Resource = '*') => ({ Effect: 'Allow', Action, Resource });
const document = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const managed = (PolicyDocument: object, more: object = {}) => ({
  Type: 'AWS::IAM::ManagedPolicy',
  Properties: { PolicyDocument, ...more },
});

/** The rules of an organization: nothing of SageMaker without its tag, and its own key, topic and role for CloudFormation. */
async function organizationTemplate() {
  const untagged = {
    Effect: 'Deny',
    Action: ['sagemaker:CreateModel', 'sagemaker:CreateTransformJob', 'sagemaker:CreateEndpointConfig'],
    Resource: '*',
    Condition: { StringNotEquals: { 'aws:RequestTag/CostCenter': '42' } },
  };
  const trusting = (Service: string) =>
    document({ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' });
  const owner = { AWS: `${IAM}:root` };
  return {
    Resources: {
      Boundary: managed(document(allow('*'), untagged)),
      Identity: managed(await policyOf('identity')),
      Services: managed(await policyOf('services')),
      Cfn: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: 'cfn',
          AssumeRolePolicyDocument: trusting('cloudformation.amazonaws.com'),
          ManagedPolicyArns: [{ Ref: 'Identity' }, { Ref: 'Services' }],
        },
      },
      Alarms: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'alarms' } },
      AlarmsPolicy: {
        Type: 'AWS::SNS::TopicPolicy',
        Properties: {
          Topics: [{ Ref: 'Alarms' }],
          PolicyDocument: document({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Resource: { Ref: 'Alarms' },
          }),
        },
      },
      Key: {
        Type: 'AWS::KMS::Key',
        Properties: {
          KeyPolicy: document({ Effect: 'Allow', Principal: owner, Action: 'kms:*', Resource: '*' }),
        },
      },
      Shelf: {
        Type: 'AWS::S3::Bucket',
        Properties: {
          BucketName: 'shelf',
          BucketEncryption: {
            ServerSideEncryptionConfiguration: [
              {
                ServerSideEncryptionByDefault: {
                  SSEAlgorithm: 'aws:kms',
                  KMSMasterKeyID: { 'Fn::GetAtt': ['Key', 'Arn'] },
                },
              },
            ],
          },
        },
      },
    },
    Outputs: {
      Boundary: { Value: { Ref: 'Boundary' } },
      Key: { Value: { 'Fn::GetAtt': ['Key', 'Arn'] } },
    },
  };
}

let stack: LocalStack;
let sagemaker: SageMakerClient;
let team: Credentials;
let endTurn: () => Promise<void>;
beforeAll(async () => void (endTurn = await takeDeploymentTurn()), 1_800_000);
afterAll(() => endTurn());
beforeAll(async () => {
  stack = await localStack();
  await stack.deploy({
    stackName: 'organization',
    template: JSON.stringify(await organizationTemplate()),
    parameters: {},
  });
  sagemaker = new SageMakerClient(stack.client);
  const s3 = new S3Client({ ...stack.client, forcePathStyle: true });
  const Body = await readFile(path.join(EXAMPLE, 'model.tar.gz'));
  await s3.send(new PutObjectCommand({ Bucket: 'shelf', Key: 'model.tar.gz', Body }));
  const passing = {
    Effect: 'Allow',
    Action: ['iam:PassRole'],
    Resource: CFN_ROLE,
    Condition: { StringEquals: { 'iam:PassedToService': 'cloudformation.amazonaws.com' } },
  };
  team = await asRole(stack, 'team', [
    await policyOf('services'),
    await policyOf('removal'),
    { Statement: [{ ...passing }] },
  ]);
  const { accessKeyId, secretAccessKey } = stack.client.credentials;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: stack.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
});
afterAll(() => stack.close());

const outputOf = (name: string) => stack.find('organization').outputs.find(({ key }) => key === name)!.value;
const run = (command: 'deploy' | 'remove', ...options: string[]) =>
  runDeployCommand({ endpoint: stack.endpoint, credentials: team }, command, '--stage', 'org', ...options);

/** Drops images into a pipeline of their own, with the model of the other bucket, and waits for the end of the run. */
async function drop(pipeline: string) {
  const application = await connect('org');
  const { store } = application;
  const config = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
  const own = {
    model: { ...config.model, artifact: 's3://shelf/model.tar.gz' },
    drop: { quietSeconds: 600 },
    gate: { minAccuracy: 0.5, minInputs: 1, confidence: null },
  };
  await store.write(bucketLayout.pipelineConfig(pipeline), JSON.stringify({ ...config, ...own }));
  const folder = bucketLayout.dropFolder({ kind: 'inference', pipeline, drop: 'd' });
  for (const name of (await readdir(path.join(EXAMPLE, 'images'))).sort().slice(0, 6))
    await store.write(folder + name, await readFile(path.join(EXAMPLE, 'images', name)));
  await store.write(`${folder}_READY`, '');
  return { application, end: await awaitRun(application, `${pipeline}/d/000001`, silentTerminal()) };
}

/** Tags of everything that SageMaker has of this kind. */
async function tagsOf(list: () => Promise<readonly (string | undefined)[]>) {
  const arns = await list();
  expect(arns.length).toBeGreaterThan(0);
  return Promise.all(
    arns.map(async (ResourceArn) => {
      const { Tags = [] } = await sagemaker.send(new ListTagsCommand({ ResourceArn }));
      return Object.fromEntries(Tags.map(({ Key = '', Value }) => [Key, Value]));
    }),
  );
}

test('a team without rights on roles deploys under the rules of its organization, and its runs keep them', async () => {
  const parameters = {
    permissionsBoundaryArn: outputOf('Boundary'),
    alarmTopicArn: TOPIC,
    readBucketArns: 'arn:aws:s3:::shelf',
    readKeyArns: outputOf('Key'),
  };
  const first = await run(
    'deploy',
    ...['--cfn-role', CFN_ROLE, '--tag', 'CostCenter=42', '--tag', 'Owner=vision team'],
    ...Object.entries(parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]),
  );
  expect(first.said).toContain('  tag CostCenter 42');
  expect(first.said).toContain('Service deployed to stack inferdrop-org');
  const again = await run('deploy');
  expect(again.said).toContain('No changes to deploy');
  const { Stacks } = await new CloudFormationClient(stack.client).send(
    new DescribeStacksCommand({ StackName: 'inferdrop-org' }),
  );
  expect(Stacks?.[0]).toMatchObject({
    RoleARN: CFN_ROLE,
    Tags: expect.arrayContaining([
      { Key: 'CostCenter', Value: '42' },
      { Key: 'Owner', Value: 'vision team' },
    ]),
  });

  const { application, end } = await drop('clothes');
  expect(end.report.gate.verdict).toBe('passed');
  await endpointOf(application);
  for (const list of LISTS)
    for (const tags of await tagsOf(list))
      expect(tags).toMatchObject({ CostCenter: '42', Owner: 'vision team' });

  const changed = await run('deploy', '--tag', 'CostCenter=43');
  expect(changed.said).toContain('tag CostCenter: 42 → 43');
  expect(changed.said).toContain('Service deployed to stack inferdrop-org');
  const { end: refused } = await drop('refused');
  expect(refused.success).toBe(false);
  expect(JSON.stringify(refused.report)).toMatch(/sagemaker:Create.*explicit deny in a permissions boundary/);

  const removed = await run('remove', '--yes');
  expect(removed.said).toContain('successfully removed');
}, 600_000);

const LISTS = [
  async () => (await sagemaker.send(new ListModelsCommand())).Models!.map(({ ModelArn }) => ModelArn),
  async () =>
    (await sagemaker.send(new ListTransformJobsCommand())).TransformJobSummaries!.map(
      ({ TransformJobArn }) => TransformJobArn,
    ),
  async () =>
    (await sagemaker.send(new ListEndpointConfigsCommand())).EndpointConfigs!.map(
      ({ EndpointConfigArn }) => EndpointConfigArn,
    ),
  async () =>
    (await sagemaker.send(new ListEndpointsCommand())).Endpoints!.map(({ EndpointArn }) => EndpointArn),
];

/** Waits until the endpoint of the run's model serves. */
const endpointOf = ({ store }: Application) =>
  until(async () => (await servedJson('clothes').read(store))?.status === 'in-service');
