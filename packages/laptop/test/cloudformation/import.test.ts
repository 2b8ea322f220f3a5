import { DescribeChangeSetCommand, type ResourceToImport } from '@aws-sdk/client-cloudformation';
import {
  CreateBucketCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalCloudFormation, startCloudFormation } from '../support/local-cloudformation.ts';

let local: LocalCloudFormation;
beforeAll(async () => void (local = await startCloudFormation()));
afterAll(() => local.close());

const template = (BucketName: string, Properties = {}, rest = {}) => ({
  Resources: {
    Bucket: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'Retain', Properties: { BucketName, ...Properties } },
    ...rest,
  },
});
const importing = (BucketName: string) => ({
  ChangeSetType: 'IMPORT' as const,
  ResourcesToImport: [
    { ResourceType: 'AWS::S3::Bucket', LogicalResourceId: 'Bucket', ResourceIdentifier: { BucketName } },
  ] satisfies ResourceToImport[],
});

test('a bucket is taken into a new stack as it is, and configured by the next update', async () => {
  const { s3, client, review, deploy, stack } = local;
  const Bucket = 'made-elsewhere';
  await s3.send(new CreateBucketCommand({ Bucket }));
  await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'kept' }));
  const { ChangeSetName } = await review('adopts', template(Bucket), importing(Bucket));
  expect(await client.send(new DescribeChangeSetCommand({ ChangeSetName }))).toMatchObject({
    Changes: [
      { ResourceChange: { Action: 'Import', LogicalResourceId: 'Bucket', PhysicalResourceId: Bucket } },
    ],
  });
  expect((await deploy('adopts', template(Bucket), importing(Bucket))).status).toBe('IMPORT_COMPLETE');
  expect(stack.find('adopts').resources).toMatchObject([{ physicalId: Bucket, status: 'IMPORT_COMPLETE' }]);

  const versioned = template(Bucket, { VersioningConfiguration: { Status: 'Enabled' } });
  expect((await deploy('adopts', versioned, { ChangeSetType: 'UPDATE' })).status).toBe('UPDATE_COMPLETE');
  expect(await s3.send(new GetBucketVersioningCommand({ Bucket }))).toMatchObject({ Status: 'Enabled' });
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'k' }));
  expect(await Body?.transformToString()).toBe('kept');
});

test('a bucket that is not there', async () => {
  const { ChangeSetName } = await local.review('absent', template('absent'), importing('absent'));
  expect(await local.client.send(new DescribeChangeSetCommand({ ChangeSetName }))).toMatchObject({
    Status: 'FAILED',
    StatusReason: "Resource of type 'AWS::S3::Bucket' with identifier 'absent' was not found.",
  });
});

test('a bucket of another stack', async () => {
  await local.deploy('owner', template('owned'));
  const { ChangeSetName } = await local.review('thief', template('owned'), importing('owned'));
  expect(await local.client.send(new DescribeChangeSetCommand({ ChangeSetName }))).toMatchObject({
    Status: 'FAILED',
    StatusReason: `Resource owned already exists in stack [${local.stack.find('owner').stackId}]`,
  });
});

const { Bucket } = template('any').Resources;
test.each<[string, object, string]>([
  [
    'others beside them',
    template('any', {}, { Queue: { Type: 'AWS::SQS::Queue' } }),
    'Resources [Queue] is missing from ResourceToImport list',
  ],
  [
    'no deletion policy',
    { Resources: { Bucket: { ...Bucket, DeletionPolicy: undefined } } },
    'Following resources to import [Bucket] must have DeletionPolicy attribute specified in the template.',
  ],
  [
    'outputs',
    { ...template('any'), Outputs: { Name: { Value: { Ref: 'Bucket' } } } },
    'As part of the import operation, you cannot modify or add [Outputs]',
  ],
])('resources to import with %s', async (_, body, message) => {
  await expect(local.review('refused', body, importing('any'))).rejects.toThrow(message);
});

test('a bucket that is there is not made again', async () => {
  await local.s3.send(new CreateBucketCommand({ Bucket: 'already-there' }));
  expect(await local.deploy('again', template('already-there'))).toEqual({
    status: 'ROLLBACK_COMPLETE',
    reasons: ['already-there already exists'],
  });
});
