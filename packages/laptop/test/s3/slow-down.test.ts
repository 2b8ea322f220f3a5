import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { localS3 } from '../support/local-s3.ts';
import { manualClock } from '../support/manual-clock.ts';

test('a bucket refuses what comes faster than its rate, and no other bucket does', async () => {
  const clock = manualClock();
  await using s3 = await localS3({ clock, requestsPerSecond: 3 });
  const { client } = s3;
  await client.send(new CreateBucketCommand({ Bucket: 'one' }));
  await client.send(new CreateBucketCommand({ Bucket: 'two' }));
  await client.send(new PutObjectCommand({ Bucket: 'one', Key: 'k', Body: 'text' }));
  const get = () => client.send(new GetObjectCommand({ Bucket: 'one', Key: 'k' }));
  await get();
  await expect(get()).rejects.toMatchObject({
    name: 'SlowDown',
    message: 'Please reduce your request rate.',
    $metadata: { httpStatusCode: 503 },
  });
  await expect(client.send(new HeadObjectCommand({ Bucket: 'one', Key: 'k' }))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 503 },
  });
  await client.send(new PutObjectCommand({ Bucket: 'two', Key: 'k', Body: 'x' }));
  await client.send(new ListBucketsCommand({}));
  await clock.advance(334);
  await get();
});
