import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type ChecksumAlgorithm,
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const at = { Bucket: 'data', Key: 'a' };
/** The published check values of `123456789`. */
const CHECKS: Readonly<Record<ChecksumAlgorithm, string>> = {
  CRC32: hexToBase64('cbf43926'),
  CRC32C: hexToBase64('e3069283'),
  CRC64NVME: hexToBase64('ae8b14860a799888'),
  SHA1: createHash('sha1').update('123456789').digest('base64'),
  SHA256: createHash('sha256').update('123456789').digest('base64'),
} as Record<ChecksumAlgorithm, string>;
const ALGORITHMS = Object.keys(CHECKS) as ChecksumAlgorithm[];

function hexToBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

it.each(ALGORITHMS)('verifies and keeps a %s that the client gives', async (algorithm) => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const member = `Checksum${algorithm}`;
  const put = await s3.client.send(
    new PutObjectCommand({ ...at, Body: '123456789', [member]: CHECKS[algorithm] }),
  );
  expect(put).toMatchObject({ [member]: CHECKS[algorithm], ChecksumType: 'FULL_OBJECT' });
  const head = await s3.client.send(new HeadObjectCommand({ ...at, ChecksumMode: 'ENABLED' }));
  expect(head).toMatchObject({ [member]: CHECKS[algorithm], ChecksumType: 'FULL_OBJECT' });
  await expect(
    s3.client.send(new PutObjectCommand({ ...at, Key: 'b', Body: '12345678', [member]: CHECKS[algorithm] })),
  ).rejects.toMatchObject({ name: 'BadDigest', $metadata: { httpStatusCode: 400 } });
  await expect(s3.client.send(new GetObjectCommand({ ...at, Key: 'b' }))).rejects.toMatchObject({
    name: 'NoSuchKey',
  });
});

it.each(ALGORITHMS)('verifies a %s that comes after a streamed body', async (algorithm) => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const Body = Readable.from([Buffer.from('12345'), Buffer.from('6789')]);
  const put = await s3.client.send(
    new PutObjectCommand({ ...at, Body, ContentLength: 9, ChecksumAlgorithm: algorithm }),
  );
  expect(put).toMatchObject({ [`Checksum${algorithm}`]: CHECKS[algorithm] });
  const got = await s3.client.send(new GetObjectCommand({ ...at, ChecksumMode: 'ENABLED' }));
  expect(await got.Body?.transformToString()).toBe('123456789');
  expect(got.ContentEncoding).toBeUndefined();
});

it('verifies Content-MD5', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const ContentMD5 = createHash('md5').update('123456789').digest('base64');
  await s3.client.send(new PutObjectCommand({ ...at, Body: '123456789', ContentMD5 }));
  await expect(
    s3.client.send(new PutObjectCommand({ ...at, Body: '12345678', ContentMD5 })),
  ).rejects.toMatchObject({ name: 'BadDigest' });
  await expect(
    s3.client.send(new PutObjectCommand({ ...at, Body: '1', ContentMD5: 'bm8=' })),
  ).rejects.toMatchObject({ name: 'InvalidDigest' });
});
