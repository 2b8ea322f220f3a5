import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Condition } from '../../problem/conditions.ts';
import { required } from '../calls/answer.ts';
import { isNamed } from '../calls/aws-error.ts';
import type { CopiedObject } from './object-store.ts';

/** Size above which S3 only copies in parts. */
const MAX_SINGLE_COPY_BYTES = 5 * 2 ** 30;
const PART_BYTES = 2 ** 30;
const COPIES_AT_ONCE = 4;

interface Target {
  readonly bucket: string;
  readonly key: string;
}

/** Condition on the target: whether an object is there, and with which ETag. */
export type TargetCondition = Pick<CopyObjectCommandInput, 'IfMatch' | 'IfNoneMatch'>;

/**
 * Copies an object of any size without reading it.
 *
 * @throws `NoSuchKey` if the source is not there; `PreconditionFailed` if it has another ETag than the one asked for, or the target
 *   is not as `condition` says
 */
export async function copyObject(
  s3: S3Client,
  source: CopiedObject,
  target: Target,
  condition: TargetCondition = {},
): Promise<void> {
  const head = await describeSource(s3, source);
  if (required(head.ContentLength, 'ContentLength') > MAX_SINGLE_COPY_BYTES) {
    await copyInParts(s3, source, { ...target, condition }, head);
    return;
  }
  await s3.send(
    new CopyObjectCommand({
      Bucket: target.bucket,
      Key: target.key,
      CopySource: toCopySource(source),
      ...(source.etag !== undefined && { CopySourceIfMatch: source.etag }),
      ChecksumAlgorithm: 'SHA256',
      // Copying tags would need further permissions wherever a source has tags.
      TaggingDirective: 'REPLACE',
      ...condition,
    }),
  );
}

async function describeSource(s3: S3Client, source: CopiedObject): Promise<HeadObjectCommandOutput> {
  try {
    return await s3.send(
      new HeadObjectCommand({ Bucket: source.bucket, Key: source.key, VersionId: source.versionId }),
    );
  } catch (error) {
    if (!isNamed(error, 'NotFound')) throw error;
    throw new Condition('NoSuchKey', `s3://${source.bucket}/${source.key} is not there`, { cause: error });
  }
}

async function copyInParts(
  s3: S3Client,
  source: CopiedObject,
  target: Target & { readonly condition: TargetCondition },
  { ContentLength = 0, ContentType, ETag = '' }: HeadObjectCommandOutput,
): Promise<void> {
  const names = { Bucket: target.bucket, Key: target.key };
  const created = await s3.send(new CreateMultipartUploadCommand({ ...names, ContentType }));
  const upload = { ...names, UploadId: required(created.UploadId, 'UploadId') };
  const Parts: CompletedPart[] = Array.from(
    { length: Math.ceil(ContentLength / PART_BYTES) },
    (_, index) => ({
      PartNumber: index + 1,
    }),
  );
  const waiting = Parts.values();
  const work = async (): Promise<void> => {
    for (const part of waiting) {
      const PartNumber = required(part.PartNumber, 'PartNumber');
      const start = (PartNumber - 1) * PART_BYTES;
      const end = Math.min(start + PART_BYTES, ContentLength);
      const { CopyPartResult } = await s3.send(
        new UploadPartCopyCommand({
          ...upload,
          PartNumber,
          CopySource: toCopySource(source),
          CopySourceRange: `bytes=${start}-${end - 1}`,
          CopySourceIfMatch: source.etag ?? ETag,
        }),
      );
      part.ETag = CopyPartResult?.ETag;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: COPIES_AT_ONCE }, work));
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed) {
    await s3.send(new AbortMultipartUploadCommand(upload));
    throw failed.reason;
  }
  try {
    await s3.send(
      new CompleteMultipartUploadCommand({ ...upload, ...target.condition, MultipartUpload: { Parts } }),
    );
  } catch (error) {
    await s3.send(new AbortMultipartUploadCommand(upload));
    throw error;
  }
}

/** The value of CopySource. The header holds a URL path, which the SDK sends unencoded. */
export function toCopySource({ bucket, key, versionId }: CopiedObject): string {
  const path = `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  return versionId === undefined ? path : `${path}?versionId=${encodeURIComponent(versionId)}`;
}
