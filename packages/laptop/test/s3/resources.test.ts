import {
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import type { ResourceContext } from '../../cloudformation/resource-type.ts';
import { type LocalS3, localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

function context(s3: LocalS3, physicalId?: string): ResourceContext {
  return { stackName: 'Stack', logicalId: 'Uploads', physicalId, site: s3.site };
}

const properties = {
  BucketName: Bucket,
  BucketEncryption: {
    ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
  },
  VersioningConfiguration: { Status: 'Enabled' },
  NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
  PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: 'true' },
  OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
  LifecycleConfiguration: {
    Rules: [
      { Id: 'aborted', Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
      {
        Id: 'runs',
        Status: 'Enabled',
        Prefix: 'runs/',
        ExpirationInDays: '90',
        NoncurrentVersionExpiration: { NoncurrentDays: 30 },
      },
    ],
  },
  Tags: [{ Key: 'a', Value: 'b' }],
};

it('makes a bucket as its template describes it', async () => {
  await using s3 = await localS3();
  const applied = await s3.resources['AWS::S3::Bucket']!.apply(properties, context(s3));
  expect(applied).toMatchObject({
    ref: Bucket,
    attributes: { Arn: 'arn:aws:s3:::data', DomainName: 'data.s3.amazonaws.com' },
  });
  const { client } = s3;
  expect(await client.send(new GetBucketVersioningCommand({ Bucket }))).toMatchObject({ Status: 'Enabled' });
  expect((await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules).toEqual([
    {
      ID: 'aborted',
      Status: 'Enabled',
      Filter: { Prefix: '' },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    },
    {
      ID: 'runs',
      Status: 'Enabled',
      Filter: { Prefix: 'runs/' },
      Expiration: { Days: 90 },
      NoncurrentVersionExpiration: { NoncurrentDays: 30 },
    },
  ]);
  expect(await client.send(new GetBucketNotificationConfigurationCommand({ Bucket }))).toMatchObject({
    EventBridgeConfiguration: {},
  });
  expect(
    (await client.send(new GetPublicAccessBlockCommand({ Bucket }))).PublicAccessBlockConfiguration,
  ).toMatchObject({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    RestrictPublicBuckets: false,
  });
  await expect(client.send(new GetBucketEncryptionCommand({ Bucket }))).resolves.toBeDefined();
  await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
  expect(s3.events).toHaveLength(1);
});

it('brings an existing bucket to a later template, and keeps what is in it', async () => {
  const s3 = await localS3();
  const bucket = s3.resources['AWS::S3::Bucket']!;
  await bucket.apply(properties, context(s3));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
  await using again = await s3.restart();
  await again.resources['AWS::S3::Bucket']!.apply({ BucketName: Bucket }, context(again, Bucket));
  expect((await again.objects.read(Bucket, 'a'))?.toString()).toBe('x');
  expect(await again.client.send(new GetBucketVersioningCommand({ Bucket }))).toMatchObject({
    Status: 'Suspended',
  });
  await expect(again.client.send(new GetBucketTaggingCommand({ Bucket }))).rejects.toMatchObject({
    name: 'NoSuchTagSet',
  });
  await again.client.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'x' }));
  expect(again.events).toEqual([]);
});

it('names a bucket that the template does not, and finds it again', async () => {
  await using s3 = await localS3();
  const bucket = s3.resources['AWS::S3::Bucket']!;
  const { ref } = await bucket.apply({}, context(s3));
  expect(ref).toMatch(/^stack-uploads-[0-9a-f]{12}$/);
  expect(await bucket.apply({}, context(s3, ref))).toMatchObject({ ref });
  await bucket.remove(ref);
  expect(s3.objects.hasBucket(ref)).toBe(false);
});

it('does not remove a bucket with objects in it', async () => {
  await using s3 = await localS3();
  const bucket = s3.resources['AWS::S3::Bucket']!;
  await bucket.apply({ BucketName: Bucket }, context(s3));
  await s3.objects.write(Bucket, 'a', Buffer.from('x'));
  await expect(bucket.remove(Bucket)).rejects.toMatchObject({ code: 'BucketNotEmpty' });
});

it('refuses properties that it does not understand, each by its name', async () => {
  await using s3 = await localS3();
  const bucket = s3.resources['AWS::S3::Bucket']!;
  await expect(
    bucket.apply({ WebsiteConfiguration: {}, VersioningConfiguration: { Status: 'On' } }, context(s3)),
  ).rejects.toMatchObject({
    code: 'ValidationError',
    message: expect.stringMatching(
      /Resource Uploads .*VersioningConfiguration\.Status.*WebsiteConfiguration/,
    ),
  });
});

it('records a policy, and takes it away', async () => {
  await using s3 = await localS3();
  await s3.resources['AWS::S3::Bucket']!.apply({ BucketName: Bucket }, context(s3));
  const policy = s3.resources['AWS::S3::BucketPolicy']!;
  const Statement = [{ Effect: 'Deny', Principal: '*', Action: 's3:DeleteBucket', Resource: '*' }];
  const PolicyDocument = { Version: '2012-10-17', Statement };
  const { ref } = await policy.apply({ Bucket, PolicyDocument }, context(s3));
  const { Policy } = await s3.client.send(new GetBucketPolicyCommand({ Bucket }));
  expect(JSON.parse(Policy!)).toEqual(PolicyDocument);
  await policy.remove(ref);
  await expect(s3.client.send(new GetBucketPolicyCommand({ Bucket }))).rejects.toMatchObject({
    name: 'NoSuchBucketPolicy',
  });
});
