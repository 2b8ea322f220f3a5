import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const at = { Bucket: 'data', Key: 'a' };

it('answers 304 to who has the object already, and 412 to who wants another', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const { ETag } = await s3.client.send(new PutObjectCommand({ ...at, Body: 'abc' }));
  const status = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });
  const get = (more: object) => s3.client.send(new GetObjectCommand({ ...at, ...more }));
  await expect(get({ IfNoneMatch: ETag })).rejects.toMatchObject(status(304));
  await expect(get({ IfNoneMatch: '"0"' })).resolves.toMatchObject(status(200));
  await expect(get({ IfMatch: '"0"' })).rejects.toMatchObject(status(412));
  await expect(get({ IfMatch: ETag })).resolves.toMatchObject(status(200));
  await expect(get({ IfModifiedSince: new Date(Date.now() + 3_600_000) })).rejects.toMatchObject(status(304));
  await expect(get({ IfUnmodifiedSince: new Date(0) })).rejects.toMatchObject(status(412));
  // The ETag decides where both are given.
  await expect(get({ IfMatch: ETag, IfUnmodifiedSince: new Date(0) })).resolves.toMatchObject(status(200));
  await expect(s3.client.send(new HeadObjectCommand({ ...at, IfNoneMatch: ETag }))).rejects.toMatchObject(
    status(304),
  );
});
