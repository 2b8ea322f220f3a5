import {
  CreateBucketCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const at = { Bucket: 'data', Key: 'a' };

it('keeps the tags of an upload, and leaves the bytes alone', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text', Tagging: 'a=1&b=%C3%A4%20b' }));
  await using again = await s3.restart();
  expect((await again.client.send(new GetObjectTaggingCommand(at))).TagSet).toEqual([
    { Key: 'a', Value: '1' },
    { Key: 'b', Value: 'ä b' },
  ]);
  const got = await again.client.send(new GetObjectCommand(at));
  expect(await got.Body?.transformToString()).toBe('text');
});

it('refuses tags that S3 does', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const put = (Tagging: string) => s3.client.send(new PutObjectCommand({ ...at, Body: 'text', Tagging }));
  await expect(put('a=&a=')).rejects.toMatchObject({ name: 'InvalidTag' });
  await expect(put(`${'a'.repeat(129)}=`)).rejects.toMatchObject({ name: 'InvalidTag' });
  const eleven = Array.from({ length: 11 }, (_, index) => `${index}=`).join('&');
  await expect(put(eleven)).rejects.toMatchObject({ name: 'BadRequest' });
});
