import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { Condition } from '../../problem/conditions.ts';
import { required } from '../calls/answer.ts';
import { isNamed, statusOf, withErrorNames } from '../calls/aws-error.ts';
import { named } from '../calls/named-calls.ts';
import { copyObject } from './copy-object.ts';
import { joinObjects } from './join-objects.ts';
import { listFolders, listObjects, listPage, listVersions, unquoted } from './list-objects.ts';
import { uploadStream } from './multipart-upload.ts';
import type { ByteRange, ObjectInfo, ObjectStore, WriteOptions } from './object-store.ts';

type WriteCondition = Pick<PutObjectCommandInput, 'IfNoneMatch' | 'IfMatch'>;

const CONFLICT_ATTEMPTS = 5;
const CONFLICT_PAUSE_MS = 100;

let client: S3Client | undefined;

/** The bucket of this name; the client is built on first use. */
export function objectStore({ bucket }: { readonly bucket: string }): ObjectStore {
  const store: ObjectStore = {
    bucket,
    in: (other) => objectStore({ bucket: other }),
    describe: (key) => unlessMissing(async () => head(bucket, key)),
    readText: (key) =>
      unlessMissing(async () => required((await get(bucket, key)).Body, 'Body').transformToString()),
    async readBytes(key, range) {
      if (range && range.end <= range.start) return (await store.describe(key)) && new Uint8Array();
      return unlessMissing(async () =>
        required((await get(bucket, key, range)).Body, 'Body').transformToByteArray(),
      );
    },
    async readStream(key, range) {
      if (range && range.end <= range.start) return (await store.describe(key)) && Readable.from([]);
      return unlessMissing(async () => toReadable(await get(bucket, key, range)));
    },
    versions: (key) => listVersions(s3(), bucket, key),
    open: (key, versionId) =>
      unlessMissing(async () => {
        const answer = await get(bucket, key, undefined, versionId);
        return { ...toInfo(key, answer), body: toReadable(answer) };
      }),
    async write(key, body, options = {}) {
      const answer = await withErrorNames(s3().send(put(bucket, key, body, options)));
      return {
        key,
        size: Buffer.byteLength(body),
        etag: unquoted(answer.ETag),
        ...(answer.VersionId !== undefined && { versionId: answer.VersionId }),
      };
    },
    writeStream: (key, body, options = {}) =>
      withErrorNames(uploadStream(s3(), { bucket, key, ...options }, body)),
    createIfAbsent: (key, body, options = {}) =>
      writeWhere(() => s3().send(put(bucket, key, body, options, { IfNoneMatch: '*' }))),
    replace: (key, body, etag, options = {}) =>
      writeWhere(() => s3().send(put(bucket, key, body, options, { IfMatch: `"${etag}"` }))),
    join: (keys, key, options = {}) => withErrorNames(joinObjects(s3(), keys, { bucket, key, ...options })),
    async copyOver(source, key, etag) {
      if ((await store.describe(source)) === undefined)
        throw new Condition('NoSuchKey', `s3://${bucket}/${source} is not there`);
      const condition = etag === null ? { IfNoneMatch: '*' } : { IfMatch: `"${etag}"` };
      return writeWhere(() => copyObject(s3(), { bucket, key: source }, { bucket, key }, condition));
    },
    copy: (source, key) => withErrorNames(copyObject(s3(), source, { bucket, key })),
    keptSha256: (key) => unlessMissing(() => keptSha256(bucket, key)),
    listPage: (prefix, options) => listPage(s3(), bucket, prefix, options),
    list: (prefix, options) => listObjects(s3(), bucket, prefix, options),
    listFolders: (prefix) => listFolders(s3(), bucket, prefix),
    async delete(key) {
      await withErrorNames(s3().send(new DeleteObjectCommand({ Bucket: bucket, Key: key })));
    },
  };
  return store;
}

function s3(): S3Client {
  // A custom endpoint rarely answers on `<bucket>.<host>`.
  const forcePathStyle = (process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL) !== undefined;
  return (client ??= named(new S3Client({ forcePathStyle, followRegionRedirects: true })));
}

async function head(Bucket: string, key: string): Promise<ObjectInfo> {
  return toInfo(key, await s3().send(new HeadObjectCommand({ Bucket, Key: key })));
}

async function keptSha256(Bucket: string, Key: string): Promise<string | null> {
  const command = new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' });
  const { ChecksumSHA256, ChecksumType } = await s3().send(command);
  // The checksum of an object stored in parts is computed over the parts' checksums.
  if (ChecksumSHA256 === undefined || ChecksumType !== 'FULL_OBJECT') return null;
  return Buffer.from(ChecksumSHA256, 'base64').toString('hex');
}

function toInfo(key: string, answer: GetObjectCommandOutput | HeadObjectCommandOutput): ObjectInfo {
  return {
    key,
    size: required(answer.ContentLength, 'ContentLength'),
    etag: unquoted(answer.ETag),
    lastModified: required(answer.LastModified, 'LastModified'),
    ...(answer.VersionId !== undefined && { versionId: answer.VersionId }),
  };
}

function get(
  Bucket: string,
  Key: string,
  range?: ByteRange,
  VersionId?: string,
): Promise<GetObjectCommandOutput> {
  const Range = range && `bytes=${range.start}-${range.end - 1}`;
  return s3().send(
    new GetObjectCommand({
      Bucket,
      Key,
      ...(Range !== undefined && { Range }),
      ...(range?.etag !== undefined && { IfMatch: `"${range.etag}"` }),
      ...(VersionId !== undefined && { VersionId }),
    }),
  );
}

function toReadable({ Body }: GetObjectCommandOutput): Readable {
  if (Body instanceof Readable) return Body;
  throw new Condition('IncompleteAnswer', 'the answer of AWS lacks a body that can be streamed');
}

function put(
  Bucket: string,
  Key: string,
  Body: string | Uint8Array,
  { contentType, contentEncoding }: WriteOptions,
  condition: WriteCondition = {},
): PutObjectCommand {
  return new PutObjectCommand({
    Bucket,
    Key,
    Body,
    // The SDK takes an empty text for a missing body, and refuses its length.
    ContentLength: Buffer.byteLength(Body),
    ...(contentType !== undefined && { ContentType: contentType }),
    ...(contentEncoding !== undefined && { ContentEncoding: contentEncoding }),
    ...condition,
  });
}

/** S3 answers 409 while two such writes race; the loser gets 412 once one of them is stored. */
async function writeWhere(send: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await withErrorNames(send());
      return true;
    } catch (error) {
      if (isNamed(error, 'PreconditionFailed', 'NoSuchKey') || statusOf(error) === 412) return false;
      if (!isNamed(error, 'ConditionalRequestConflict') || attempt === CONFLICT_ATTEMPTS) throw error;
      await sleep(CONFLICT_PAUSE_MS * attempt);
    }
  }
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withErrorNames(read());
  } catch (error) {
    // A read has a condition only if it wants the bytes of one version.
    if (isNamed(error, 'NoSuchKey', 'NotFound', 'PreconditionFailed')) return undefined;
    throw error;
  }
}
