import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';
import { rawS3 } from '../support/raw-s3.ts';

const Bucket = 'data';

it('lets one of twenty racers create a key', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const racers = Array.from({ length: 20 }, (_, index) => `racer ${index}`);
  const results = await Promise.allSettled(
    racers.map((Body) =>
      s3.client.send(new PutObjectCommand({ Bucket, Key: 'marker', Body, IfNoneMatch: '*' })),
    ),
  );
  const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [racers[index]] : []));
  const losers = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(winners).toHaveLength(1);
  for (const error of losers) {
    expect(error).toMatchObject({ name: 'PreconditionFailed', $metadata: { httpStatusCode: 412 } });
  }
  const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key: 'marker' }));
  expect(await Body?.transformToString()).toBe(winners[0]);
});

it('lets one of twenty racers create a key whose bodies arrive after all of them were let in', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const everyoneIsIn = Promise.withResolvers<void>();
  let waiting = 20;
  const beforeBody = (): Promise<void> => {
    if (--waiting === 0) everyoneIsIn.resolve();
    return everyoneIsIn.promise;
  };
  const body = Buffer.alloc(300_000, 'x');
  const headers = { 'if-none-match': '*', expect: '100-continue', 'content-length': String(body.length) };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      rawS3(s3.endpoint, { method: 'PUT', path: `/${Bucket}/marker`, headers, body, beforeBody }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
});

it('creates again what was deleted', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const put = new PutObjectCommand({ Bucket, Key: 'marker', Body: 'a', IfNoneMatch: '*' });
  await s3.client.send(put);
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'marker' }));
  await expect(s3.client.send(put)).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
});

it('replaces only the version that the writer has seen', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const { ETag } = await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '1' }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '2', IfMatch: ETag }));
  await expect(
    s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '3', IfMatch: ETag })),
  ).rejects.toMatchObject({ name: 'PreconditionFailed' });
  await expect(
    s3.client.send(new PutObjectCommand({ Bucket, Key: 'absent', Body: '3', IfMatch: ETag })),
  ).rejects.toMatchObject({ name: 'NoSuchKey' });
  await expect(
    s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a', IfMatch: ETag })),
  ).rejects.toMatchObject({
    name: 'PreconditionFailed',
  });
});

it('refuses If-None-Match with an ETag rather than ignoring it', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await expect(
    s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '1', IfNoneMatch: '"abc"' })),
  ).rejects.toMatchObject({ name: 'NotImplemented', $metadata: { httpStatusCode: 501 } });
});
