import { invalidArgument } from '../listing/page-parameters.ts';
import type { S3Call } from '../operation.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { findVersion } from './find-version.ts';
import { checkReadConditions } from './read-conditions.ts';

/** The version that a copy is made of, and where it is. */
export interface CopySource {
  readonly bucket: string;
  readonly key: string;
  readonly version: ObjectVersion;
}

/**
 * Finds what `x-amz-copy-source` names.
 *
 * @throws {AwsError} `InvalidArgument`, `NoSuchBucket`, `NoSuchKey`, `NoSuchVersion`, `PreconditionFailed`
 */
export function findCopySource({ headers }: S3Call, storage: ObjectStorage): CopySource {
  const { versionId, ...at } = parseCopySource(headers['x-amz-copy-source'] ?? '');
  const version = findVersion(storage, at, versionId);
  checkReadConditions(headers, version, 'x-amz-copy-source-');
  return { ...at, version };
}

/**
 * Reads `[/]bucket/key[?versionId=…]`, percent-encoded.
 *
 * @throws {AwsError} `InvalidArgument`
 */
export function parseCopySource(header: string): {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string | undefined;
} {
  const mark = header.lastIndexOf('?versionId=');
  const path = mark < 0 ? header : header.slice(0, mark);
  const versionId = mark < 0 ? undefined : header.slice(mark + '?versionId='.length);
  const source = /^\/?([^/]+)\/(.+)$/s.exec(decode(path, header));
  if (!source?.[1] || !source[2]) throw invalidArgument('x-amz-copy-source', header, 'bucket/key');
  return { bucket: source[1], key: source[2], versionId };
}

function decode(path: string, header: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalidArgument('x-amz-copy-source', header, 'percent-encoded UTF-8');
  }
}
