import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Condition } from '../../problem/conditions.ts';
import { required } from '../calls/answer.ts';
import { isNamed } from '../calls/aws-error.ts';
import { toCopySource } from './copy-object.ts';
import type { WriteOptions } from './object-store.ts';

/** S3 accepts 10,000 parts, all but the last of 5 MiB or more. */
const LEAST_PART_BYTES = 5 * 2 ** 20;
const MAX_PARTS = 10_000;
const PARTS_AT_ONCE = 8;
const HEADS_AT_ONCE = 16;

interface Target extends WriteOptions {
  readonly bucket: string;
  readonly key: string;
}

interface Source {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
}

/**
 * Concatenates objects of the target's bucket into one object. S3 copies those that are large enough to be a part; only smaller
 * neighbors are read here, and joined into one part.
 *
 * @throws `NoSuchKey` if a source is missing; `PreconditionFailed` if one changes meanwhile; `ObjectTooLarge`
 */
export async function joinObjects(s3: S3Client, keys: readonly string[], target: Target): Promise<void> {
  const { bucket: Bucket, key: Key, contentType, contentEncoding } = target;
  const sources: Source[] = [];
  await inParallel(keys, HEADS_AT_ONCE, async (key, index) => {
    sources[index] = await describe(s3, Bucket, key);
  });
  const parts = toParts(sources.filter(({ size }) => size > 0));
  if (parts.length > MAX_PARTS) throw new Condition('ObjectTooLarge', `${Key} exceeds ${MAX_PARTS} parts`);
  const created = await s3.send(
    new CreateMultipartUploadCommand({
      Bucket,
      Key,
      ...(contentType !== undefined && { ContentType: contentType }),
      ...(contentEncoding !== undefined && { ContentEncoding: contentEncoding }),
    }),
  );
  const upload = { Bucket, Key, UploadId: required(created.UploadId, 'UploadId') };
  try {
    const Parts: CompletedPart[] = [];
    await inParallel(parts, PARTS_AT_ONCE, async (part, index) => {
      const PartNumber = index + 1;
      Parts[index] = { PartNumber, ETag: await sendPart(s3, { ...upload, PartNumber }, part) };
    });
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    await s3.send(new AbortMultipartUploadCommand(upload));
    throw error;
  }
}

/** Groups neighbors until each group is large enough to be a part; the last group may be smaller. */
function toParts(sources: readonly Source[]): (readonly Source[])[] {
  const parts: Source[][] = [];
  let open: Source[] = [];
  let openBytes = 0;
  for (const source of sources) {
    open.push(source);
    openBytes += source.size;
    if (openBytes < LEAST_PART_BYTES) continue;
    parts.push(open);
    [open, openBytes] = [[], 0];
  }
  // An empty object consists of one empty part.
  if (open.length > 0 || parts.length === 0) parts.push(open);
  return parts;
}

async function sendPart(
  s3: S3Client,
  place: {
    readonly Bucket: string;
    readonly Key: string;
    readonly UploadId: string;
    readonly PartNumber: number;
  },
  part: readonly Source[],
): Promise<string | undefined> {
  const [only, ...more] = part;
  if (only !== undefined && more.length === 0) {
    const { CopyPartResult } = await s3.send(
      new UploadPartCopyCommand({
        ...place,
        CopySource: toCopySource({ bucket: place.Bucket, key: only.key }),
        CopySourceIfMatch: only.etag,
      }),
    );
    return CopyPartResult?.ETag;
  }
  const bodies: Uint8Array[] = [];
  for (const { key, etag } of part) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: place.Bucket, Key: key, IfMatch: etag }));
    bodies.push(await required(Body, 'Body').transformToByteArray());
  }
  return (await s3.send(new UploadPartCommand({ ...place, Body: Buffer.concat(bodies) }))).ETag;
}

async function describe(s3: S3Client, Bucket: string, key: string): Promise<Source> {
  try {
    const { ContentLength, ETag } = await s3.send(new HeadObjectCommand({ Bucket, Key: key }));
    return { key, size: required(ContentLength, 'ContentLength'), etag: required(ETag, 'ETag') };
  } catch (error) {
    if (!isNamed(error, 'NotFound')) throw error;
    throw new Condition('NoSuchKey', `s3://${Bucket}/${key} is not there`, { cause: error });
  }
}

/** Runs tasks concurrently; after a failure no further task begins, and the first error is thrown once all have ended. */
async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  let failed: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failed !== undefined) return;
      try {
        await work(item, index);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failed !== undefined) throw failed.error;
}
