import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

it('gives back the bytes and the description of what was put', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const put = await s3.client.send(
    new PutObjectCommand({
      Bucket,
      Key: 'a/b.json',
      Body: '{"a":1}',
      ContentType: 'application/json',
      CacheControl: 'no-cache',
      Metadata: { color: 'red' },
      Tagging: 'run=1',
    }),
  );
  expect(put).toMatchObject({ ETag: '"bb6cb5c68df4652941caf652a366f2d8"', ServerSideEncryption: 'AES256' });
  const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: 'a/b.json' }));
  expect(await got.Body?.transformToString()).toBe('{"a":1}');
  expect(got).toMatchObject({
    ContentType: 'application/json',
    ContentLength: 7,
    CacheControl: 'no-cache',
    Metadata: { color: 'red' },
    ETag: '"bb6cb5c68df4652941caf652a366f2d8"',
    TagCount: 1,
  });
  expect(await s3.client.send(new HeadObjectCommand({ Bucket, Key: 'a/b.json' }))).toMatchObject({
    ContentLength: 7,
  });
});

it('has what was put in the next listing, and not what was deleted', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  for (const Key of ['b', 'a', 'c']) await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));
  const { Contents } = await s3.client.send(new ListObjectsV2Command({ Bucket }));
  expect(Contents?.map(({ Key }) => Key)).toEqual(['a', 'c']);
  await expect(s3.client.send(new GetObjectCommand({ Bucket, Key: 'b' }))).rejects.toMatchObject({
    name: 'NoSuchKey',
  });
});

it('keeps 20 MiB apart from memory and whole', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const body = Buffer.alloc(20 * 1024 * 1024, 'inferdrop');
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'big', Body: body }));
  const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: 'big' }));
  expect(Buffer.compare(Buffer.from((await got.Body?.transformToByteArray()) ?? []), body)).toBe(0);
});
