import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';

const s3 = mockClient(S3Client);
const store = objectStore({ bucket: 'pictures' });
beforeEach(() => s3.reset().on(AbortMultipartUploadCommand).resolves({}));

const failure = (name: string, httpStatusCode: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });

describe('createIfAbsent', () => {
  it('asks again while two writes are in conflict', async () => {
    s3.on(PutObjectCommand)
      .rejectsOnce(failure('ConditionalRequestConflict', 409))
      .rejectsOnce(failure('PreconditionFailed', 412));
    expect(await store.createIfAbsent('key', 'body')).toBe(false);
    expect(s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input.IfNoneMatch)).toEqual([
      '*',
      '*',
    ]);
  });

  it('passes on every other error', async () => {
    s3.on(PutObjectCommand).rejects(failure('SlowDown', 503));
    await expect(store.createIfAbsent('key', 'body')).rejects.toMatchObject({ name: 'SlowDown' });
  });
});

it('names a refused HEAD, which has no body', async () => {
  s3.on(HeadObjectCommand).rejects(failure('403', 403));
  await expect(store.describe('key')).rejects.toMatchObject({ name: 'AccessDenied' });
});

describe('copy', () => {
  const etag = '"e"';

  it('asks once up to 5 GiB', async () => {
    s3.on(HeadObjectCommand).resolves({ ContentLength: 5 * 2 ** 30, ETag: etag });
    await store.copy({ bucket: 'others', key: 'a b/ü.png', versionId: 'v+1' }, 'copy');
    expect(s3.commandCalls(CopyObjectCommand)[0]!.args[0].input.CopySource).toBe(
      'others/a%20b/%C3%BC.png?versionId=v%2B1',
    );
  });

  it('copies in parts of one and the same version above', async () => {
    s3.on(HeadObjectCommand).resolves({
      ContentLength: 5 * 2 ** 30 + 1,
      ETag: etag,
      ContentType: 'application/x-tar',
    });
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'u' });
    s3.on(UploadPartCopyCommand).callsFake(({ PartNumber }) => ({
      CopyPartResult: { ETag: `"${PartNumber}"` },
    }));
    await store.copy({ bucket: 'others', key: 'big' }, 'copy');
    const parts = s3.commandCalls(UploadPartCopyCommand).map(({ args }) => args[0].input);
    expect(
      parts
        .map(({ CopySourceRange }) => CopySourceRange)
        .toSorted()
        .at(-1),
    ).toBe('bytes=5368709120-5368709120');
    expect(new Set(parts.map(({ CopySourceIfMatch }) => CopySourceIfMatch))).toEqual(new Set([etag]));
    expect(s3.commandCalls(CompleteMultipartUploadCommand)[0]!.args[0].input.MultipartUpload!.Parts).toEqual(
      [1, 2, 3, 4, 5, 6].map((PartNumber) => ({ PartNumber, ETag: `"${PartNumber}"` })),
    );
  });

  it('leaves no parts behind when one fails', async () => {
    s3.on(HeadObjectCommand).resolves({ ContentLength: 6 * 2 ** 30, ETag: etag });
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'u' });
    s3.on(UploadPartCopyCommand).rejects(failure('PreconditionFailed', 412));
    await expect(store.copy({ bucket: 'others', key: 'big' }, 'copy')).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    expect(s3.commandCalls(AbortMultipartUploadCommand)).toHaveLength(1);
  });
});

describe('writeStream', () => {
  it('holds a few parts in memory, however long the stream', async () => {
    const held: (() => void)[] = [];
    let read = 0;
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'u' });
    s3.on(UploadPartCommand).callsFake(
      () => new Promise((resolve) => held.push(() => resolve({ ETag: '"e"' }))),
    );
    const source = async function* () {
      for (; read < 200; read++) yield Buffer.alloc(2 ** 20);
    };
    let isDone = false;
    const stored = store.writeStream('long', source()).then(() => (isDone = true));
    let most = 0;
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      const { length } = s3.commandCalls(UploadPartCommand);
      most = Math.max(most, held.length);
      expect(read).toBeLessThanOrEqual((length + 2) * 8 + 1);
      held.shift()?.();
    }
    await stored;
    expect(most).toBeLessThanOrEqual(3);
    expect(s3.commandCalls(UploadPartCommand)).toHaveLength(25);
  });

  it('aborts after the last part has come to rest, and passes on the reason', async () => {
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'u' });
    s3.on(UploadPartCommand).rejectsOnce(failure('InternalError', 500)).resolves({ ETag: '"e"' });
    const source = async function* () {
      for (let at = 0; at < 40; at++) yield Buffer.alloc(2 ** 20);
    };
    await expect(store.writeStream('long', source())).rejects.toMatchObject({ name: 'InternalError' });
    expect(s3.commandCalls(AbortMultipartUploadCommand)).toHaveLength(1);
    expect(s3.commandCalls(CompleteMultipartUploadCommand)).toHaveLength(0);
  });
});
