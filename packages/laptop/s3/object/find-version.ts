import { AwsError } from '../../kernel/aws-error.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { noSuchKey } from './write-conditions.ts';

/**
 * The version a reader asks for, or the current one.
 *
 * @throws {AwsError} `NoSuchBucket`, `NoSuchKey`, `NoSuchVersion`; `MethodNotAllowed` for a version that is a delete marker
 */
export function findVersion(
  { catalog }: ObjectStorage,
  at: { readonly bucket: string; readonly key: string },
  versionId: string | undefined,
): ObjectVersion {
  const bucket = catalog.bucket(at.bucket);
  if (versionId === undefined) {
    const newest = bucket.newest(at.key);
    if (newest && !newest.deleteMarker) return newest;
    const headers = newest ? { 'x-amz-delete-marker': 'true', 'x-amz-version-id': newest.versionId } : {};
    const { code, message, statusCode, details } = noSuchKey(at.key);
    throw new AwsError(code, message, { statusCode, details, headers });
  }
  const version = bucket.version(at.key, versionId);
  if (!version)
    throw new AwsError('NoSuchVersion', 'The specified version does not exist.', {
      statusCode: 404,
      details: { Key: at.key, VersionId: versionId },
    });
  if (version.deleteMarker)
    throw new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
      statusCode: 405,
      details: { Method: 'GET', ResourceType: 'DeleteMarker' },
      headers: { 'x-amz-delete-marker': 'true', 'x-amz-version-id': versionId, allow: 'DELETE' },
    });
  return version;
}
