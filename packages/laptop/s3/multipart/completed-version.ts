import { unquoted } from '../object/write-conditions.ts';
import type { S3Call } from '../operation.ts';
import { toByteOrder } from '../store/byte-order.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import type { CompletedPart } from './complete-upload.ts';
import { multipartEtag } from './multipart-etag.ts';

/**
 * Version made by an earlier completion of the same upload with the same parts, while it exists: a client that lost the answer can
 * ask again.
 *
 * @throws {AwsError} `NoSuchBucket`
 */
export function completedVersion(
  { bucket, key, query }: Pick<S3Call, 'bucket' | 'key' | 'query'>,
  { catalog }: ObjectStorage,
  listed: readonly CompletedPart[],
): ObjectVersion | undefined {
  const etag = multipartEtag(listed.map(({ ETag }) => unquoted(ETag)));
  return catalog
    .bucket(bucket)
    .versionsAt(toByteOrder(key))
    .find((version) => version.uploadId === query.get('uploadId') && version.etag === etag);
}
