import { randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

it('copies bytes and description, and outlives its source', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const Key = 'ä b/ö+?.txt';
  await s3.client.send(
    new PutObjectCommand({ Bucket, Key, Body: 'text', ContentType: 'a/b', Metadata: { m: '1' } }),
  );
  const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
  await s3.client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource }));
  await s3.client.send(
    new CopyObjectCommand({
      Bucket,
      Key: 'other',
      CopySource,
      MetadataDirective: 'REPLACE',
      ContentType: 'c/d',
    }),
  );
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key }));
  await using again = await s3.restart();
  const copy = await again.client.send(new GetObjectCommand({ Bucket, Key: 'copy' }));
  expect(await copy.Body?.transformToString()).toBe('text');
  expect(copy).toMatchObject({ ContentType: 'a/b', Metadata: { m: '1' } });
  const other = await again.client.send(new HeadObjectCommand({ Bucket, Key: 'other' }));
  expect(other).toMatchObject({ ContentType: 'c/d', Metadata: {} });
});

it('copies only the source that is expected, and never an object onto itself unchanged', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'text' }));
  const copy = (more: object) =>
    s3.client.send(new CopyObjectCommand({ Bucket, Key: 'b', CopySource: 'data/a', ...more }));
  await expect(copy({ CopySourceIfMatch: '"0"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  await expect(copy({ Key: 'a' })).rejects.toMatchObject({ name: 'InvalidRequest' });
  await expect(copy({ CopySource: 'data/absent' })).rejects.toMatchObject({ name: 'NoSuchKey' });
  await copy({ IfNoneMatch: '*' });
  await expect(copy({ IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
});

it('puts an object together from ranges of another', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const body = randomBytes(8 * 1024 * 1024);
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: body }));
  const at = { Bucket, Key: 'b' };
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
  const cut = 6 * 1024 * 1024;
  const Parts = [];
  for (const [index, CopySourceRange] of [
    `bytes=0-${cut - 1}`,
    `bytes=${cut}-${body.length - 1}`,
  ].entries()) {
    const PartNumber = index + 1;
    const { CopyPartResult } = await s3.client.send(
      new UploadPartCopyCommand({ ...at, UploadId, PartNumber, CopySource: 'data/a', CopySourceRange }),
    );
    Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
  }
  await s3.client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  const got = await s3.client.send(new GetObjectCommand(at));
  expect(Buffer.compare(Buffer.from(await got.Body!.transformToByteArray()), body)).toBe(0);
  await expect(
    s3.client.send(
      new UploadPartCopyCommand({
        ...at,
        UploadId,
        PartNumber: 3,
        CopySource: 'data/b',
        CopySourceRange: 'bytes=0-1',
      }),
    ),
  ).rejects.toMatchObject({ name: 'NoSuchUpload' });
});
