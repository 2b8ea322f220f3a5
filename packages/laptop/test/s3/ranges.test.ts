import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const at = { Bucket: 'data', Key: 'a' };

it.each([
  ['bytes=2-5', '2345', 'bytes 2-5/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=8-', '89', 'bytes 8-9/10'],
  ['bytes=8-100', '89', 'bytes 8-9/10'],
  ['bytes=-100', '0123456789', 'bytes 0-9/10'],
])('gives %s of ten bytes', async (Range, text, ContentRange) => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: '0123456789' }));
  const got = await s3.client.send(new GetObjectCommand({ ...at, Range }));
  expect(await got.Body?.transformToString()).toBe(text);
  expect(got).toMatchObject({ ContentRange, ContentLength: text.length, $metadata: { httpStatusCode: 206 } });
  expect(got.ChecksumCRC32).toBeUndefined();
});

it('refuses a range beyond the end, and answers the whole for what is no range', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: '0123456789' }));
  const get = (Range: string) => s3.client.send(new GetObjectCommand({ ...at, Range }));
  await expect(get('bytes=10-')).rejects.toMatchObject({
    name: 'InvalidRange',
    $metadata: { httpStatusCode: 416 },
  });
  await expect(get('bytes=5-2')).resolves.toMatchObject({ ContentLength: 10 });
  await expect(get('bytes=0-1,4-5')).resolves.toMatchObject({ ContentLength: 10 });
});
