import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketEncryptionCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import {
  CreateModelCommand,
  DeleteModelCommand,
  DeleteTagsCommand,
  DescribeModelCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { CreateTopicCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AllowedCall } from '../../iam/authorizer.ts';
import { createIam } from '../../iam/service.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createS3 } from '../../s3/service.ts';
import { createSageMaker } from '../../sagemaker/service.ts';
import { createTopics } from '../../sns/service.ts';
import { type LocalRoles, localRoles } from '../support/local-roles.ts';

const MODEL_ROLE = 'arn:aws:iam::000000000000:role/model';
const reported: string[] = [];
const allowed: AllowedCall[] = [];
let roles: LocalRoles;
let admin: { s3: S3Client; sns: SNSClient };

/** Clients of a function whose role has these statements. */
async function as(name: string, ...statements: unknown[]) {
  const settings = await roles.clientOf(name, ...statements);
  return {
    s3: new S3Client({ ...settings, forcePathStyle: true }),
    sagemaker: new SageMakerClient(settings),
    sns: new SNSClient(settings),
  };
}

beforeAll(async () => {
  const bus = { put: () => undefined };
  const clock = systemClock;
  const queues: any = {};
  roles = await localRoles(
    ({ site, below }) => {
      const s3 = createS3({ dir: below('s3'), site, bus, clock });
      return [
        createTopics({ dir: below('sns'), site, clock, queues }).service,
        createSageMaker({
          dir: below('sagemaker'),
          site,
          clock,
          bus,
          objects: s3.objects,
          metrics: { put: () => undefined },
          logs: { write: () => undefined },
        }).service,
        s3.service,
      ];
    },
    { report: (line) => reported.push(line), onAllowed: (call) => void allowed.push(call) },
  );
  admin = {
    s3: new S3Client({ ...roles.client, forcePathStyle: true }),
    sns: new SNSClient(roles.client),
  };
  await admin.s3.send(new CreateBucketCommand({ Bucket: 'data' }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await admin.s3.send(new PutBucketVersioningCommand({ Bucket: 'data', VersioningConfiguration }));
});
afterAll(() => roles.close());

const denied = expect.objectContaining({ name: expect.stringMatching(/^AccessDenied/) });

it('a role reads what its policy names, and is refused the rest in AWS’s words', async () => {
  await admin.s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'runs/1', Body: 'x' }));
  const { s3 } = await as('reader', {
    Effect: 'Allow',
    Action: 's3:GetObject',
    Resource: 'arn:aws:s3:::data/runs/*',
  });

  await s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'runs/1' }));
  const refusal = s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'runs/1', Body: 'y' }));

  const message =
    'User: arn:aws:sts::000000000000:assumed-role/reader/fn is not authorized to perform: s3:PutObject on resource: ' +
    'arn:aws:s3:::data/runs/1 because no identity-based policy allows the s3:PutObject action';
  await expect(refusal).rejects.toMatchObject({ name: 'AccessDenied', message });
  expect(reported.at(-1)).toBe(message);
  const kept = await admin.s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'runs/1' }));
  expect(await kept.Body?.transformToString()).toBe('x');
});

it('what a role used and had is reported, and nothing of the owner’s or that was refused', async () => {
  const { s3 } = await as('lister', {
    Effect: 'Allow',
    Action: 's3:ListBucket',
    Resource: 'arn:aws:s3:::data',
  });
  allowed.length = 0;

  await admin.s3.send(new ListObjectsV2Command({ Bucket: 'data' }));
  await s3.send(new ListObjectsV2Command({ Bucket: 'data', Prefix: 'runs/' }));
  await s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'runs/1' })).catch(() => undefined);

  expect(allowed).toEqual([
    {
      roleArn: 'arn:aws:iam::000000000000:role/lister',
      action: 's3:ListBucket',
      resource: 'arn:aws:s3:::data',
      context: { 's3:prefix': 'runs/' },
    },
  ]);
});

it('a missing object is a 403 to a role that may not list, and a 404 to one that may', async () => {
  const get = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::data/*' };
  const blind = await as('blind', get);
  const seeing = await as('seeing', get, {
    Effect: 'Allow',
    Action: 's3:ListBucket',
    Resource: 'arn:aws:s3:::data',
  });
  const ask = new HeadObjectCommand({ Bucket: 'data', Key: 'none' });

  await expect(blind.s3.send(ask)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  await expect(seeing.s3.send(ask)).rejects.toMatchObject({ name: 'NotFound' });
  await expect(blind.s3.send(new ListObjectsV2Command({ Bucket: 'data' }))).rejects.toEqual(denied);
});

it('a version, and the source of a copy, have permissions of their own', async () => {
  const { VersionId } = await admin.s3.send(
    new PutObjectCommand({ Bucket: 'data', Key: 'models/m', Body: 'm' }),
  );
  const write = { Effect: 'Allow', Action: 's3:PutObject', Resource: 'arn:aws:s3:::data/*' };
  const read = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::data/models/*' };
  const version = { ...read, Action: 's3:GetObjectVersion' };
  const copy = (source: string) => new CopyObjectCommand({ Bucket: 'data', Key: 'copy', CopySource: source });
  const writer = await as('writer', write);
  const copier = await as('copier', write, read);
  const versioned = await as('versioned', write, version);

  await expect(writer.s3.send(copy('data/models/m'))).rejects.toEqual(denied);
  await copier.s3.send(copy('data/models/m'));
  await expect(copier.s3.send(copy(`data/models/m?versionId=${VersionId}`))).rejects.toEqual(denied);
  await versioned.s3.send(copy(`data/models/m?versionId=${VersionId}`));
  await expect(versioned.s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'models/m' }))).rejects.toEqual(
    denied,
  );
});

it('a call whose permission the stack does not know is refused to a role', async () => {
  const { s3, sagemaker } = await as('anything', { Effect: 'Allow', Action: '*', Resource: '*' });
  const tagging = new PutBucketTaggingCommand({ Bucket: 'data', Tagging: { TagSet: [] } });

  await expect(s3.send(tagging)).rejects.toThrow('does not know what s3 PutBucketTagging asks of a role');
  const untagging = new DeleteTagsCommand({
    ResourceArn: 'arn:aws:sagemaker:us-east-1:000000000000:model/m',
    TagKeys: ['a'],
  });
  await expect(sagemaker.send(untagging)).rejects.toThrow(
    'does not know what sagemaker DeleteTags asks of a role',
  );
});

it('making a model asks for its tags and for the role that it passes on', async () => {
  const model = (name: string, application: string) =>
    new CreateModelCommand({
      ModelName: name,
      ExecutionRoleArn: MODEL_ROLE,
      PrimaryContainer: {
        Image: '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu',
      },
      Tags: [{ Key: 'application', Value: application }],
    });
  const on = 'arn:aws:sagemaker:us-east-1:000000000000:model/ours-*';
  const create = { Effect: 'Allow', Action: 'sagemaker:CreateModel', Resource: on };
  const tag = {
    Effect: 'Allow',
    Action: 'sagemaker:AddTags',
    Resource: on,
    Condition: { StringEquals: { 'aws:RequestTag/application': 'mine' } },
  };
  const pass = {
    Effect: 'Allow',
    Action: 'iam:PassRole',
    Resource: MODEL_ROLE,
    Condition: { StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } },
  };
  const send = async (name: string, statements: unknown[], command: ReturnType<typeof model>) =>
    (await as(name, ...statements)).sagemaker.send(command);

  await expect(send('m1', [create, tag], model('ours-1', 'mine'))).rejects.toThrow('iam:PassRole');
  await expect(send('m2', [create, pass], model('ours-1', 'mine'))).rejects.toThrow('sagemaker:AddTags');
  await expect(send('m3', [create, tag, pass], model('ours-1', 'theirs'))).rejects.toThrow('AddTags');
  await expect(send('m4', [create, tag, pass], model('others-1', 'mine'))).rejects.toThrow('CreateModel');
  await send('m5', [create, tag, pass], model('ours-1', 'mine'));
});

it('what a resource is tagged with can decide who may delete it', async () => {
  const { sagemaker } = await as(
    'deleter',
    { Effect: 'Allow', Action: 'sagemaker:DescribeModel', Resource: '*' },
    {
      Effect: 'Allow',
      Action: 'sagemaker:DeleteModel',
      Resource: '*',
      Condition: { StringEquals: { 'aws:ResourceTag/application': 'theirs' } },
    },
  );

  await sagemaker.send(new DescribeModelCommand({ ModelName: 'ours-1' }));
  await expect(sagemaker.send(new DeleteModelCommand({ ModelName: 'ours-1' }))).rejects.toEqual(denied);
});

it('a topic under a customer’s key asks for the key', async () => {
  const { TopicArn } = await admin.sns.send(
    new CreateTopicCommand({ Name: 't', Attributes: { KmsMasterKeyId: 'key-1' } }),
  );
  const publish = { Effect: 'Allow', Action: 'sns:Publish', Resource: TopicArn };
  const use = {
    Effect: 'Allow',
    Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
    Resource: 'arn:aws:kms:us-east-1:000000000000:key/key-1',
  };
  const keyless = await as('keyless', publish);
  const whole = await as('whole', publish, use);
  const message = new PublishCommand({ TopicArn, Message: 'hello' });

  await expect(keyless.sns.send(message)).rejects.toThrow('kms:GenerateDataKey');
  await whole.sns.send(message);
});

it('objects under a customer’s key ask for the key: to write, to read, to copy', async () => {
  const key = 'arn:aws:kms:us-east-1:000000000000:key/objects';
  await admin.s3.send(new CreateBucketCommand({ Bucket: 'sealed' }));
  const ApplyServerSideEncryptionByDefault = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key } as const;
  const ServerSideEncryptionConfiguration = { Rules: [{ ApplyServerSideEncryptionByDefault }] };
  await admin.s3.send(
    new PutBucketEncryptionCommand({ Bucket: 'sealed', ServerSideEncryptionConfiguration }),
  );
  const all = { Effect: 'Allow', Action: 's3:*', Resource: ['arn:aws:s3:::sealed/*', 'arn:aws:s3:::data/*'] };
  const using = (...calls: string[]) => ({
    Effect: 'Allow',
    Action: calls.map((call) => `kms:${call}`),
    Resource: key,
    Condition: { StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' } },
  });
  const put = new PutObjectCommand({ Bucket: 'sealed', Key: 'k', Body: 'x' });
  const get = new GetObjectCommand({ Bucket: 'sealed', Key: 'k' });
  const copy = new CopyObjectCommand({ Bucket: 'data', Key: 'opened', CopySource: 'sealed/k' });
  const send = async (name: string, command: unknown, ...statements: unknown[]) =>
    (await as(name, all, ...statements)).s3.send(command as typeof put);

  await expect(send('k1', put, using('Decrypt'))).rejects.toThrow('kms:GenerateDataKey');
  await send('k2', put, using('GenerateDataKey'));
  for (const read of [get, copy]) {
    await expect(send('k3', read, using('GenerateDataKey'))).rejects.toThrow('kms:Decrypt');
    await send('k4', read, using('Decrypt'));
  }
  // HEAD needs no permission on the object's KMS key.
  await send('k5', new HeadObjectCommand({ Bucket: 'sealed', Key: 'k' }));
  const begin = new CreateMultipartUploadCommand({ Bucket: 'sealed', Key: 'large' });
  const { UploadId } = await admin.s3.send(begin);
  const part = new UploadPartCommand({ Bucket: 'sealed', Key: 'large', UploadId, PartNumber: 1, Body: 'x' });
  await expect(send('k6', begin, using('Decrypt'))).rejects.toThrow('kms:GenerateDataKey');
  await expect(send('k7', part, using('GenerateDataKey'))).rejects.toThrow('kms:Decrypt');
  await send('k8', part, using('GenerateDataKey', 'Decrypt'));
});

it('policies of their own are added to a role’s, and go with their resource', async () => {
  const { s3 } = await as('attached');
  const listing = new ListObjectsV2Command({ Bucket: 'data' });
  const policy = roles.iam.resources['AWS::IAM::Policy']!;
  const context = { stackName: 's', logicalId: 'P', physicalId: undefined, site: roles.site };
  const Statement = [{ Effect: 'Allow', Action: 's3:ListBucket', Resource: 'arn:aws:s3:::data' }];
  const PolicyDocument = { Version: '2012-10-17', Statement };

  const { ref } = await policy.apply({ PolicyName: 'p', PolicyDocument, Roles: ['attached'] }, context);
  await s3.send(listing);
  await policy.remove(ref);

  await expect(s3.send(listing)).rejects.toEqual(denied);
});

it('a role has the managed policies that it names, as far as its boundary goes', async () => {
  const context = (logicalId: string) => ({
    stackName: 's',
    logicalId,
    physicalId: undefined,
    site: roles.site,
  });
  const managed = async (name: string, Action: string) => {
    const PolicyDocument = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] };
    return (await roles.iam.resources['AWS::IAM::ManagedPolicy']!.apply({ PolicyDocument }, context(name)))
      .ref;
  };
  const writing = await managed('writing', 's3:*');
  const bounded = async (boundary: string | undefined) => {
    const AssumeRolePolicyDocument = { Statement: [] };
    const properties = { AssumeRolePolicyDocument, RoleName: 'bounded', ManagedPolicyArns: [writing] };
    await roles.iam.resources['AWS::IAM::Role']!.apply(
      { ...properties, ...(boundary && { PermissionsBoundary: boundary }) },
      context('bounded'),
    );
    const credentials = roles.iam.sessions.credentialsOf('arn:aws:iam::000000000000:role/bounded', 'fn');
    const s3 = new S3Client({ ...roles.client, credentials, forcePathStyle: true });
    return s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'bounded', Body: 'x' }));
  };

  await bounded(undefined);
  await expect(bounded(await managed('reading', 's3:Get*'))).rejects.toThrow(
    'because no permissions boundary allows the s3:PutObject action',
  );
  const limit = await managed('putting', 's3:Put*');
  await bounded(limit);
  await roles.iam.resources['AWS::IAM::ManagedPolicy']!.remove(limit);
  await expect(bounded(undefined)).resolves.toBeDefined();
  await expect(bounded(limit)).rejects.toThrow('does not exist or is not attachable');
});

it('a role that no template has made refuses nothing', async () => {
  const list = { action: 's3:ListBucket', resource: 'arn:aws:s3:::data' };
  await as('bare');
  const refusal = (name: string) =>
    roles.iam.sessions.refusal(`arn:aws:iam::000000000000:role/${name}`, 'SageMaker', [list]);
  expect(refusal('from-a-notebook')).toBeNull();
  expect(refusal('bare')).toContain('s3:ListBucket');
});

it('sessions and policies outlive the stack', async () => {
  const before = roles.iam.sessions.credentialsOf('arn:aws:iam::000000000000:role/reader', 'fn');
  const again = createIam({ dir: roles.below('iam'), site: roles.site, report: () => undefined });

  expect(again.sessions.credentialsOf('arn:aws:iam::000000000000:role/reader', 'fn')).toEqual(before);
  expect(again.roles.secretOf(before.accessKeyId)).toBe(before.secretAccessKey);
  const read = { action: 's3:GetObject', resource: 'arn:aws:s3:::data/runs/9' };
  expect(again.roles.refusal(before.accessKeyId, [read])).toBeNull();
  expect(again.roles.refusal(before.accessKeyId, [{ ...read, action: 's3:PutObject' }])).toContain(
    'not authorized',
  );
  expect(again.roles.refusal('test', [read])).toBeUndefined();
});
