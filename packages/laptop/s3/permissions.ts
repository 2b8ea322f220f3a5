import { AwsError } from '../kernel/aws-error.ts';
import type { Permission } from '../kernel/permission.ts';
import { readDeletions } from './actions/delete-objects.ts';
import { parseCopySource } from './object/copy-source.ts';
import { objectKeyPermissions } from './object-key.ts';
import type { S3Call } from './operation.ts';
import type { ObjectStorage } from './store/object-storage.ts';

/** Calls by the one permission on an object, or a bucket, that each asks for. */
const ON_OBJECT: Readonly<Record<string, string>> = {
  PutObject: 'PutObject',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
  AbortMultipartUpload: 'AbortMultipartUpload',
  ListParts: 'ListMultipartUploadParts',
  GetObjectTagging: 'GetObjectTagging',
};
const ON_BUCKET: Readonly<Record<string, string>> = {
  ListObjects: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  HeadBucket: 'ListBucket',
  ListObjectVersions: 'ListBucketVersions',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  GetBucketLocation: 'GetBucketLocation',
};

/**
 * What a call asks of a role.
 *
 * @throws {AwsError} `AccessDenied` where the stack does not know: nothing is allowed unseen
 */
export function s3Permissions(operation: string, call: S3Call, storage: ObjectStorage): Permission[] {
  const known = knownPermissions(operation, call, storage);
  if (known) return [...known, ...objectKeyPermissions(operation, call, storage)];
  throw new AwsError(
    'AccessDenied',
    `The local stack does not know what s3 ${operation} asks of a role: name it in packages/laptop/s3/permissions.ts`,
    { statusCode: 403 },
  );
}

/** DeleteObjects asks for each of its objects; where AWS refuses some and deletes the others, this stack refuses all. */
export async function deletePermissions(call: S3Call, { site }: ObjectStorage): Promise<Permission[]> {
  const { Object: items } = await readDeletions(call);
  return items.map(({ Key, VersionId }) => ({
    action: VersionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion',
    resource: `arn:${site.partition}:s3:::${call.bucket}/${Key}`,
  }));
}

/**
 * What a bucket's policy may deny to the account's owner. Calls that configure the bucket are excepted: in AWS the root user can always remove a
 * policy that locks all users out.
 */
export function s3OwnerPermissions(operation: string, call: S3Call, storage: ObjectStorage): Permission[] {
  return knownPermissions(operation, call, storage) ?? [];
}

function knownPermissions(operation: string, call: S3Call, storage: ObjectStorage): Permission[] | undefined {
  const { bucket, key, query, headers } = call;
  const { partition } = storage.site;
  const onBucket = (action: string): Permission => ({
    action: `s3:${action}`,
    resource: `arn:${partition}:s3:::${bucket}`,
    context: { 's3:prefix': query.get('prefix') ?? '' },
  });
  const onObject = (action: string, at: { bucket: string; key: string } = { bucket, key }): Permission => ({
    action: `s3:${action}`,
    resource: `arn:${partition}:s3:::${at.bucket}/${at.key}`,
    context: encryptionContext(headers),
  });
  const ofVersion = (action: string): string => (query.has('versionId') ? `${action}Version` : action);

  switch (operation) {
    case 'GetObject':
    case 'HeadObject': {
      // A caller without permission to list a bucket does not learn that an object is missing.
      const isThere = storage.catalog.buckets.get(bucket)?.current(key) !== undefined;
      const read = onObject(ofVersion('GetObject'));
      return isThere || query.has('versionId') ? [read] : [read, onBucket('ListBucket')];
    }
    case 'DeleteObject':
      return [onObject(ofVersion('DeleteObject'))];
    case 'CopyObject':
    case 'UploadPartCopy': {
      const { versionId, ...source } = parseCopySource(headers['x-amz-copy-source'] ?? '');
      return [
        onObject(versionId === undefined ? 'GetObject' : 'GetObjectVersion', source),
        onObject('PutObject'),
      ];
    }
  }
  const onOne = ON_OBJECT[operation];
  if (onOne !== undefined) {
    const tagged = headers['x-amz-tagging'] === undefined ? [] : [onObject('PutObjectTagging')];
    return [onObject(onOne), ...tagged];
  }
  const onAll = ON_BUCKET[operation];
  if (onAll !== undefined) return [onBucket(onAll)];
  return undefined;
}

/** The condition keys of uploads that are to be encrypted by a certain key. */
function encryptionContext(headers: S3Call['headers']): Readonly<Record<string, string>> {
  const names = ['', '-aws-kms-key-id', '-customer-algorithm'].map(
    (rest) => `x-amz-server-side-encryption${rest}`,
  );
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[`s3:${name}`, headers[name]]])),
  );
}
