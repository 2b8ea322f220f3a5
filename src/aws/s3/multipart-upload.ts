import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Condition } from '../../problem/conditions.ts';
import { required } from '../calls/answer.ts';
import type { WriteOptions } from './object-store.ts';

/**
 * S3 accepts at most 10,000 parts; their size grows with the object, so that 5 TiB fit and a small object needs little memory.
 */
const MAX_PARTS = 10_000;
const FIRST_PART_BYTES = 8 * 2 ** 20;
const PARTS_OF_ONE_SIZE = 1_000;
/** Cap on the concurrent part uploads; memory stays near (this + 1) parts. */
const UPLOADS_AT_ONCE = 3;

interface Target extends WriteOptions {
  readonly bucket: string;
  readonly key: string;
}

/** Size of a part: 8 MiB, doubled after each 1,000 parts. */
function partBytes(partNumber: number): number {
  return FIRST_PART_BYTES * 2 ** Math.floor((partNumber - 1) / PARTS_OF_ONE_SIZE);
}

/**
 * Stores a stream of unknown length. A stream that fits one part becomes an ordinary PUT.
 *
 * @throws the source's own error, after the upload was aborted
 */
export async function uploadStream(
  s3: S3Client,
  target: Target,
  source: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const parts = cutParts(source);
  const { value: first = new Uint8Array() } = await parts.next();
  const { value: second } = await parts.next();
  if (second === undefined) {
    await s3.send(new PutObjectCommand({ ...toNames(target), Body: first }));
    return;
  }
  const created = await s3.send(new CreateMultipartUploadCommand(toNames(target)));
  const upload = { Bucket: target.bucket, Key: target.key, UploadId: required(created.UploadId, 'UploadId') };
  try {
    const done: CompletedPart[] = [];
    const underWay = new Set<Promise<void>>();
    let failed: { readonly error: unknown } | undefined;
    const send = async (PartNumber: number, Body: Uint8Array): Promise<void> => {
      try {
        const { ETag } = await s3.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
        done.push({ PartNumber, ETag });
      } catch (error) {
        // Handled below: the failure may occur while the source is read, when no part is awaited.
        failed ??= { error };
      }
    };
    let partNumber = 0;
    try {
      for await (const body of resume(first, second, parts)) {
        if (++partNumber > MAX_PARTS)
          throw new Condition('ObjectTooLarge', `${target.key} exceeds ${MAX_PARTS} parts`);
        const sent: Promise<void> = send(partNumber, body).finally(() => underWay.delete(sent));
        underWay.add(sent);
        if (underWay.size >= UPLOADS_AT_ONCE) await Promise.race(underWay);
        if (failed !== undefined) break;
      }
    } finally {
      // A part that arrives after the abort would be stored and billed.
      await Promise.all(underWay);
    }
    if (failed !== undefined) throw failed.error;
    const Parts = done.sort(
      (a, b) => required(a.PartNumber, 'PartNumber') - required(b.PartNumber, 'PartNumber'),
    );
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    await s3.send(new AbortMultipartUploadCommand(upload)).catch((abortError: unknown) => {
      throw new AggregateError(
        [error, abortError],
        `${target.key} was not stored, and its upload was not aborted`,
      );
    });
    throw error;
  }
}

function toNames({ bucket, key, contentType, contentEncoding }: Target) {
  return {
    Bucket: bucket,
    Key: key,
    ...(contentType !== undefined && { ContentType: contentType }),
    ...(contentEncoding !== undefined && { ContentEncoding: contentEncoding }),
  };
}

async function* resume(
  first: Uint8Array,
  second: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield second;
  yield* rest;
}

async function* cutParts(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, undefined> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let partNumber = 1;
  for await (const chunk of source) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (heldBytes + rest.length >= partBytes(partNumber)) {
      const cut = partBytes(partNumber) - heldBytes;
      yield Buffer.concat([...held, rest.subarray(0, cut)]);
      partNumber += 1;
      rest = rest.subarray(cut);
      held = [];
      heldBytes = 0;
    }
    if (rest.length > 0) held.push(rest);
    heldBytes += rest.length;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
  return undefined;
}
