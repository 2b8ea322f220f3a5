import {
  CreateBucketCommand,
  DeleteBucketEncryptionCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLocationCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyCommand,
  GetBucketTaggingCommand,
  GetPublicAccessBlockCommand,
  HeadObjectCommand,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { type LocalS3, localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

async function withBucket(): Promise<LocalS3> {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  return s3;
}

it('tells encryption with each object as the bucket demands', async () => {
  await using s3 = await withBucket();
  const Rules = [
    {
      ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' as const, KMSMasterKeyID: 'k' },
      BucketKeyEnabled: true,
    },
  ];
  await s3.client.send(
    new PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules } }),
  );
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
  expect(await s3.client.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).toMatchObject({
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: 'k',
  });
  const got = await s3.client.send(new GetBucketEncryptionCommand({ Bucket }));
  expect(got.ServerSideEncryptionConfiguration).toEqual({ Rules });
  await s3.client.send(new DeleteBucketEncryptionCommand({ Bucket }));
  const byDefault = await s3.client.send(new GetBucketEncryptionCommand({ Bucket }));
  expect(byDefault.ServerSideEncryptionConfiguration?.Rules).toMatchObject([
    { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
  ]);
});

it('keeps a lifecycle', async () => {
  await using s3 = await withBucket();
  const get = () => s3.client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
  await expect(get()).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' });
  const Rules = [
    {
      ID: 'a',
      Status: 'Enabled' as const,
      Filter: { And: { Prefix: 'runs/', Tags: [{ Key: 'k', Value: 'v' }] } },
      Expiration: { Days: 3 },
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
    },
  ];
  await s3.client.send(
    new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
  );
  expect((await get()).Rules).toEqual(Rules);
  await s3.client.send(new DeleteBucketLifecycleCommand({ Bucket }));
  await expect(get()).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' });
});

it('keeps a policy as it was written', async () => {
  await using s3 = await withBucket();
  const Policy = '{ "Version": "2012-10-17", "Statement": [] }';
  await s3.client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  expect((await s3.client.send(new GetBucketPolicyCommand({ Bucket }))).Policy).toBe(Policy);
  await expect(s3.client.send(new PutBucketPolicyCommand({ Bucket, Policy: '{' }))).rejects.toMatchObject({
    name: 'MalformedPolicy',
  });
  await s3.client.send(new DeleteBucketPolicyCommand({ Bucket }));
  await expect(s3.client.send(new GetBucketPolicyCommand({ Bucket }))).rejects.toMatchObject({
    name: 'NoSuchBucketPolicy',
  });
});

it('keeps public access block, ownership and tags across a restart', async () => {
  const s3 = await withBucket();
  const PublicAccessBlockConfiguration = { BlockPublicAcls: true, BlockPublicPolicy: false };
  await s3.client.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }));
  const OwnershipControls = { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' as const }] };
  await s3.client.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls }));
  const TagSet = [{ Key: 'a', Value: 'b' }];
  await s3.client.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
  await using again = await s3.restart();
  expect(await again.client.send(new GetPublicAccessBlockCommand({ Bucket }))).toMatchObject({
    PublicAccessBlockConfiguration,
  });
  expect(await again.client.send(new GetBucketOwnershipControlsCommand({ Bucket }))).toMatchObject({
    OwnershipControls,
  });
  expect(await again.client.send(new GetBucketTaggingCommand({ Bucket }))).toMatchObject({ TagSet });
  expect(
    (await again.client.send(new GetBucketLocationCommand({ Bucket }))).LocationConstraint,
  ).toBeUndefined();
});

it('sends events to EventBridge, and refuses every other receiver by name', async () => {
  await using s3 = await withBucket();
  const put = (NotificationConfiguration: object) =>
    s3.client.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
  await put({ EventBridgeConfiguration: {} });
  expect(await s3.client.send(new GetBucketNotificationConfigurationCommand({ Bucket }))).toMatchObject({
    EventBridgeConfiguration: {},
  });
  await expect(
    put({
      QueueConfigurations: [
        { QueueArn: 'arn:aws:sqs:us-east-1:000000000000:q', Events: ['s3:ObjectCreated:*'] },
      ],
    }),
  ).rejects.toMatchObject({ name: 'MalformedXML', message: expect.stringContaining('QueueConfiguration') });
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
  await put({});
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'x' }));
  expect(s3.events).toHaveLength(1);
});

it.each([
  ['BadRequest', Array.from({ length: 51 }, (_, index) => ({ Key: `k${index}`, Value: '' }))],
  [
    'InvalidTag',
    [
      { Key: 'twice', Value: 'a' },
      { Key: 'twice', Value: 'b' },
    ],
  ],
])('refuses tags of a bucket as %s', async (name, TagSet) => {
  await using s3 = await withBucket();
  const put = new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } });
  await expect(s3.client.send(put)).rejects.toMatchObject({ name });
});
