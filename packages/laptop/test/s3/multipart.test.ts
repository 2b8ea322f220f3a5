import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  ListPartsCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';

const at = { Bucket: 'data', Key: 'big' };
const MIB = 1024 * 1024;

it('takes a stream of unknown length in parts', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const body = randomBytes(12 * MIB + 17);
  const chunks = function* (): Generator<Buffer> {
    for (let i = 0; i < body.length; i += 70_001) yield body.subarray(i, i + 70_001);
  };
  await new Upload({
    client: s3.client,
    params: { ...at, Body: Readable.from(chunks()), ContentType: 'x/y' },
  }).done();
  const got = await s3.client.send(new GetObjectCommand(at));
  expect(Buffer.compare(Buffer.from(await got.Body!.transformToByteArray()), body)).toBe(0);
  const md5s = [body.subarray(0, 5 * MIB), body.subarray(5 * MIB, 10 * MIB), body.subarray(10 * MIB)].map(
    (part) => createHash('md5').update(part).digest(),
  );
  const ETag = `"${createHash('md5').update(Buffer.concat(md5s)).digest('hex')}-3"`;
  expect(got).toMatchObject({ ETag, ContentType: 'x/y', ContentLength: body.length });
});

it('reads a range across parts, and one part by its number', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const body = randomBytes(11 * MIB);
  await new Upload({ client: s3.client, params: { ...at, Body: body } }).done();
  const range = await s3.client.send(
    new GetObjectCommand({ ...at, Range: `bytes=${5 * MIB - 3}-${5 * MIB + 2}` }),
  );
  expect(Buffer.from(await range.Body!.transformToByteArray())).toEqual(
    body.subarray(5 * MIB - 3, 5 * MIB + 3),
  );
  const part = await s3.client.send(new HeadObjectCommand({ ...at, PartNumber: 3 }));
  expect(part).toMatchObject({
    PartsCount: 3,
    ContentLength: MIB,
    ContentRange: `bytes ${10 * MIB}-${11 * MIB - 1}/${11 * MIB}`,
  });
});

it.each(['CRC32', 'CRC32C', 'CRC64NVME'] as ChecksumAlgorithm[])(
  'makes the %s of the whole out of those of the parts',
  async (algorithm) => {
    await using s3 = await localS3();
    await s3.client.send(new CreateBucketCommand(at));
    const parts = [randomBytes(5 * MIB), randomBytes(5 * MIB + 1), Buffer.from('tail')];
    const { UploadId } = await s3.client.send(
      new CreateMultipartUploadCommand({ ...at, ChecksumAlgorithm: algorithm, ChecksumType: 'FULL_OBJECT' }),
    );
    const Parts = [];
    for (const [index, Body] of parts.entries()) {
      const PartNumber = index + 1;
      const put = await s3.client.send(
        new UploadPartCommand({ ...at, UploadId, PartNumber, Body, ChecksumAlgorithm: algorithm }),
      );
      Parts.push({ PartNumber, ETag: put.ETag });
    }
    const complete = new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } });
    const completed = await s3.client.send(complete);
    const whole = await s3.client.send(
      new PutObjectCommand({ ...at, Key: 'whole', Body: Buffer.concat(parts), ChecksumAlgorithm: algorithm }),
    );
    const member = `Checksum${algorithm}` as 'ChecksumCRC32';
    expect(completed).toMatchObject({ [member]: whole[member], ChecksumType: 'FULL_OBJECT' });
  },
);

it('makes a composite checksum where the upload asks for one', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await new Upload({
    client: s3.client,
    params: { ...at, Body: Buffer.alloc(6 * MIB), ChecksumAlgorithm: 'SHA256' },
  }).done();
  const sha = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
  const parts = [sha(Buffer.alloc(5 * MIB)), sha(Buffer.alloc(MIB))];
  const value = sha(Buffer.concat(parts)).toString('base64');
  const head = new HeadObjectCommand({ ...at, ChecksumMode: 'ENABLED' });
  const { ETag, ...found } = await s3.client.send(head);
  expect(found).toMatchObject({
    ContentLength: 6 * MIB,
    ChecksumSHA256: `${value}-2`,
    ChecksumType: 'COMPOSITE',
  });
  expect(ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
});

it('completes on the conditions it is given', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
  const { ETag } = await s3.client.send(
    new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'mine' }),
  );
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'theirs' }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await expect(
    s3.client.send(
      new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload, IfNoneMatch: '*' }),
    ),
  ).rejects.toMatchObject({ name: 'PreconditionFailed' });
  const { ETag: theirs } = await s3.client.send(new HeadObjectCommand(at));
  await s3.client.send(
    new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload, IfMatch: theirs }),
  );
  const got = await s3.client.send(new GetObjectCommand(at));
  expect(await got.Body?.transformToString()).toBe('mine');
});

it('refuses parts that are too small, unknown, changed or out of order', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
  const etags: (string | undefined)[] = [];
  for (const PartNumber of [1, 2]) {
    etags.push(
      (await s3.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body: 'small' }))).ETag,
    );
  }
  const complete = (numbers: readonly number[], tags: readonly (string | undefined)[] = etags) =>
    s3.client.send(
      new CompleteMultipartUploadCommand({
        ...at,
        UploadId,
        MultipartUpload: { Parts: numbers.map((PartNumber, index) => ({ PartNumber, ETag: tags[index] })) },
      }),
    );
  await expect(complete([1, 2])).rejects.toMatchObject({ name: 'EntityTooSmall' });
  await expect(complete([1, 3])).rejects.toMatchObject({ name: 'InvalidPart' });
  await expect(complete([1], ['"0"'])).rejects.toMatchObject({ name: 'InvalidPart' });
  await expect(complete([2, 1])).rejects.toMatchObject({ name: 'InvalidPartOrder' });
  await expect(complete([1])).resolves.toMatchObject({ Key: 'big' });
  await expect(complete([1, 2])).rejects.toMatchObject({ name: 'NoSuchUpload' });
});

it('answers a completion again whose answer was lost, also after a restart, and makes nothing new', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const versioned = { ...at, VersioningConfiguration: { Status: 'Enabled' } } as const;
  await s3.client.send(new PutBucketVersioningCommand(versioned));
  const announced = { ...at, NotificationConfiguration: { EventBridgeConfiguration: {} } };
  await s3.client.send(new PutBucketNotificationConfigurationCommand(announced));
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
  const { ETag } = await s3.client.send(
    new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'mine' }),
  );
  const ask = { ...at, UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] }, IfNoneMatch: '*' };
  const { $metadata: _, ...first } = await s3.client.send(new CompleteMultipartUploadCommand(ask));
  await using again = await s3.restart();
  await again.client.send(new PutObjectCommand({ ...at, Body: 'later' }));
  const { $metadata: __, ...second } = await again.client.send(new CompleteMultipartUploadCommand(ask));
  expect(second).toEqual({ ...first, Location: `${again.endpoint}/data/big` });
  expect(again.events).toHaveLength(1);
  const { Versions } = await again.client.send(new ListObjectVersionsCommand({ Bucket: at.Bucket }));
  expect(Versions).toHaveLength(2);
  await again.client.send(new DeleteObjectCommand({ ...at, VersionId: first.VersionId }));
  await expect(again.client.send(new CompleteMultipartUploadCommand(ask))).rejects.toMatchObject({
    name: 'NoSuchUpload',
  });
});

it('lists uploads and parts across a restart, and forgets what is aborted', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(at));
  await s3.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 2, Body: 'two' }));
  await s3.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'one' }));
  await using again = await s3.restart();
  const uploads = await again.client.send(new ListMultipartUploadsCommand({ Bucket: at.Bucket }));
  expect(uploads.Uploads).toMatchObject([{ Key: 'big', UploadId }]);
  const parts = await again.client.send(new ListPartsCommand({ ...at, UploadId, MaxParts: 1 }));
  expect(parts).toMatchObject({
    IsTruncated: true,
    NextPartNumberMarker: '1',
    Parts: [{ PartNumber: 1, Size: 3 }],
  });
  await again.client.send(new AbortMultipartUploadCommand({ ...at, UploadId }));
  const none = await again.client.send(new ListMultipartUploadsCommand({ Bucket: at.Bucket }));
  expect(none.Uploads).toBeUndefined();
});
