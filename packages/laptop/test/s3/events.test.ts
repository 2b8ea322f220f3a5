import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { type LocalS3, localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

async function withEvents(): Promise<LocalS3> {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { EventBridgeConfiguration: {} },
    }),
  );
  return s3;
}

it('announces a created object as EventBridge has it', async () => {
  await using s3 = await withEvents();
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'ä b+c', Body: 'text' }));
  expect(s3.events).toEqual([
    {
      source: 'aws.s3',
      'detail-type': 'Object Created',
      resources: ['arn:aws:s3:::data'],
      timeMs: expect.any(Number),
      detail: {
        version: '0',
        bucket: { name: 'data' },
        object: {
          key: 'ä b+c',
          size: 4,
          etag: '1cb251ec0d568de6a929b520c4aed8d1',
          sequencer: expect.stringMatching(/^[0-9A-F]{18}$/),
        },
        'request-id': expect.any(String),
        requester: '000000000000',
        'source-ip-address': '127.0.0.1',
        reason: 'PutObject',
      },
    },
  ]);
});

it('tells the reason of each creation and deletion, in the order of their sequencers', async () => {
  await using s3 = await withEvents();
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'text' }));
  await s3.client.send(new CopyObjectCommand({ Bucket, Key: 'b', CopySource: 'data/a' }));
  const at = { Bucket, Key: 'c' };
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
  const { ETag } = await s3.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'x' }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await s3.client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'never-there' }));
  await s3.client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'b' }, { Key: 'c' }] } }),
  );
  await s3.objects.write(Bucket, 'd', Buffer.from('x'), { reason: 'CompleteMultipartUpload' });
  const seen = s3.events.map(({ 'detail-type': type, detail }) => {
    const { key } = detail['object'] as { key: string };
    return `${type} ${key} ${detail['reason']} ${detail['deletion-type'] ?? ''}`.trim();
  });
  expect(seen).toEqual([
    'Object Created a PutObject',
    'Object Created b CopyObject',
    'Object Created c CompleteMultipartUpload',
    'Object Deleted a DeleteObject Permanently Deleted',
    'Object Deleted b DeleteObject Permanently Deleted',
    'Object Deleted c DeleteObject Permanently Deleted',
    'Object Created d CompleteMultipartUpload',
  ]);
  const sequencers = s3.events.map(({ detail }) => (detail['object'] as { sequencer: string }).sequencer);
  expect(sequencers).toEqual([...new Set(sequencers)].sort());
});

it('tells the version, and a delete marker for what it is', async () => {
  await using s3 = await withEvents();
  await s3.client.send(
    new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
  );
  const { VersionId } = await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'text' }));
  const { VersionId: marker } = await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  expect(s3.events.map(({ detail }) => detail)).toMatchObject([
    { object: { key: 'a', 'version-id': VersionId } },
    { object: { key: 'a', 'version-id': marker }, 'deletion-type': 'Delete Marker Created' },
  ]);
});

it('says nothing of a write that was refused', async () => {
  await using s3 = await withEvents();
  const put = new PutObjectCommand({ Bucket, Key: 'a', Body: '1', IfNoneMatch: '*' });
  await Promise.allSettled([1, 2, 3, 4, 5].map(() => s3.client.send(put)));
  expect(s3.events).toHaveLength(1);
});
