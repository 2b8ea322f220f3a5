import {
  CreateBucketCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const at = { Bucket: 'data', Key: 'a' };

it('sets, reads and removes tags, and leaves the bytes alone', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text', Tagging: 'a=1&b=%C3%A4%20b' }));
  expect((await s3.client.send(new GetObjectTaggingCommand(at))).TagSet).toEqual([
    { Key: 'a', Value: '1' },
    { Key: 'b', Value: 'ä b' },
  ]);
  const TagSet = [{ Key: ' x ', Value: '<&>' }];
  await s3.client.send(new PutObjectTaggingCommand({ ...at, Tagging: { TagSet } }));
  await using again = await s3.restart();
  expect((await again.client.send(new GetObjectTaggingCommand(at))).TagSet).toEqual(TagSet);
  const got = await again.client.send(new GetObjectCommand(at));
  expect(await got.Body?.transformToString()).toBe('text');
  await again.client.send(new DeleteObjectTaggingCommand(at));
  expect((await again.client.send(new GetObjectTaggingCommand(at))).TagSet).toEqual([]);
});

it('refuses tags that S3 does', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
  const put = (TagSet: { Key: string; Value: string }[]) =>
    s3.client.send(new PutObjectTaggingCommand({ ...at, Tagging: { TagSet } }));
  const tag = (Key: string) => ({ Key, Value: '' });
  await expect(put([tag('a'), tag('a')])).rejects.toMatchObject({ name: 'InvalidTag' });
  await expect(put([tag('a'.repeat(129))])).rejects.toMatchObject({ name: 'InvalidTag' });
  await expect(put(Array.from({ length: 11 }, (_, i) => tag(`${i}`)))).rejects.toMatchObject({
    name: 'BadRequest',
  });
});
