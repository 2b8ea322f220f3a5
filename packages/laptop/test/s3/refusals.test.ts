import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutBucketCorsCommand,
  PutObjectAclCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const Bucket = 'data';
const at = { Bucket, Key: 'a' };

it('refuses a subresource it does not know instead of taking it for the object', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
  const notImplemented = { name: 'NotImplemented', $metadata: { httpStatusCode: 501 } };
  await expect(
    s3.client.send(new PutObjectAclCommand({ ...at, AccessControlPolicy: {} })),
  ).rejects.toMatchObject(notImplemented);
  await expect(s3.client.send(new GetObjectAclCommand(at))).rejects.toMatchObject(notImplemented);
  await expect(
    s3.client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [] } })),
  ).rejects.toMatchObject({ ...notImplemented, message: expect.stringContaining('PutBucketPolicy') });
  const got = await s3.client.send(new GetObjectCommand(at));
  expect(await got.Body?.transformToString()).toBe('text');
});

it('refuses what it cannot keep: ACLs, customer keys, object lock', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const put = (more: object) => s3.client.send(new PutObjectCommand({ ...at, Body: 'text', ...more }));
  await expect(put({ ACL: 'public-read' })).rejects.toMatchObject({ name: 'AccessControlListNotSupported' });
  await expect(put({ ObjectLockMode: 'GOVERNANCE' })).rejects.toMatchObject({ name: 'NotImplemented' });
  await expect(put({ Metadata: { m: 'x'.repeat(2048) } })).rejects.toMatchObject({
    name: 'MetadataTooLarge',
  });
  await expect(put({ StorageClass: 'COLD' })).rejects.toMatchObject({ name: 'InvalidStorageClass' });
  await expect(put({ ServerSideEncryption: 'rot13' })).rejects.toMatchObject({
    name: 'InvalidEncryptionAlgorithmError',
  });
  await expect(put({ Key: 'x'.repeat(1025) })).rejects.toMatchObject({ name: 'KeyTooLongError' });
  await expect(put({ ExpectedBucketOwner: '111111111111' })).rejects.toMatchObject({ name: 'AccessDenied' });
});

it('tells what is wrong with a bucket', async () => {
  await using s3 = await localS3();
  const head = (name: string) => s3.client.send(new HeadBucketCommand({ Bucket: name }));
  const create = (name: string) => s3.client.send(new CreateBucketCommand({ Bucket: name }));
  await expect(head(Bucket)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
  await expect(s3.client.send(new PutObjectCommand({ ...at, Body: 'x' }))).rejects.toMatchObject({
    name: 'NoSuchBucket',
  });
  await create(Bucket);
  await expect(head(Bucket)).resolves.toMatchObject({ BucketRegion: 'us-east-1' });
  await expect(create(Bucket)).rejects.toMatchObject({ name: 'BucketAlreadyOwnedByYou' });
  await expect(create('No_Name')).rejects.toMatchObject({ name: 'InvalidBucketName' });
  await s3.objects.write(Bucket, 'a', Buffer.from(''));
  await expect(s3.client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({
    name: 'BucketNotEmpty',
  });
  expect((await s3.client.send(new ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name)).toEqual([
    Bucket,
  ]);
});

it.each([
  [{ ACL: 'public-read' as const }, 'InvalidBucketAclWithObjectOwnership'],
  [
    { GrantRead: 'uri="http://acs.amazonaws.com/groups/global/AllUsers"' },
    'InvalidBucketAclWithObjectOwnership',
  ],
  [{ ObjectLockEnabledForBucket: true }, 'NotImplemented'],
  [{ ObjectOwnership: 'ObjectWriter' as const }, 'NotImplemented'],
])('makes no bucket that would be another one: %o', async (settings, name) => {
  await using s3 = await localS3();
  await expect(s3.client.send(new CreateBucketCommand({ Bucket, ...settings }))).rejects.toMatchObject({
    name,
  });
  expect((await s3.client.send(new ListBucketsCommand({}))).Buckets ?? []).toEqual([]);
});

it.each([{ IfMatchSize: 3 }, { IfMatchLastModifiedTime: new Date(0) }])(
  'deletes nothing under a condition that only directory buckets know: %o',
  async (condition) => {
    await using s3 = await localS3();
    await s3.client.send(new CreateBucketCommand({ Bucket }));
    await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
    await expect(s3.client.send(new DeleteObjectCommand({ ...at, ...condition }))).rejects.toMatchObject({
      name: 'NotImplemented',
      message: expect.stringContaining('x-amz-if-match-'),
    });
    expect(await s3.objects.read(Bucket, 'a')).toEqual(Buffer.from('text'));
  },
);

it('gives no part that the object does not have, nor a part and a range at once', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
  const get = (part: object) => s3.client.send(new GetObjectCommand({ ...at, ...part }));
  await expect(get({ PartNumber: 2 })).rejects.toMatchObject({
    name: 'InvalidPartNumber',
    $metadata: { httpStatusCode: 416 },
  });
  await expect(get({ PartNumber: 1, Range: 'bytes=0-1' })).rejects.toMatchObject({ name: 'InvalidRequest' });
});
