import type { Permission } from '../kernel/permission.ts';
import { keyPermissions } from '../kms/key-permissions.ts';
import { parseCopySource } from './object/copy-source.ts';
import { encryptionHeaders } from './object/describe-object.ts';
import type { S3Call } from './operation.ts';
import type { ObjectStorage } from './store/object-storage.ts';

const KEY = 'x-amz-server-side-encryption-aws-kms-key-id';

/** What a call asks for beside S3's own permission where objects are under a customer's key. */
export function objectKeyPermissions(operation: string, call: S3Call, storage: ObjectStorage): Permission[] {
  const { bucket, key, query, headers } = call;
  const asking = (keyId: string | undefined, ...calls: string[]): Permission[] =>
    keyPermissions(storage.site, 's3', keyId, calls);
  const keyOf = (at: { bucket: string; key: string; versionId?: string | undefined }): string | undefined => {
    const found = storage.catalog.buckets.get(at.bucket);
    const version =
      at.versionId === undefined ? found?.current(at.key) : found?.version(at.key, at.versionId);
    return version?.deleteMarker ? undefined : version?.headers[KEY];
  };
  const toWrite = (): string | undefined =>
    storage.catalog.buckets.has(bucket) ? encryptionHeaders(storage, bucket, headers)[KEY] : undefined;
  const ofUpload = (): string | undefined =>
    storage.catalog.uploads.get(query.get('uploadId') ?? '')?.headers[KEY];
  const toCopy = (): Permission[] =>
    asking(keyOf(parseCopySource(headers['x-amz-copy-source'] ?? '')), 'Decrypt');

  switch (operation) {
    case 'GetObject':
      return asking(keyOf({ bucket, key, versionId: query.get('versionId') ?? undefined }), 'Decrypt');
    case 'PutObject':
    case 'CreateMultipartUpload':
      return asking(toWrite(), 'GenerateDataKey');
    case 'CopyObject':
      return [...toCopy(), ...asking(toWrite(), 'GenerateDataKey')];
    case 'UploadPart':
      return asking(ofUpload(), 'GenerateDataKey', 'Decrypt');
    case 'UploadPartCopy':
      return [...toCopy(), ...asking(ofUpload(), 'GenerateDataKey', 'Decrypt')];
    case 'CompleteMultipartUpload':
      return asking(ofUpload(), 'Decrypt');
    default:
      return [];
  }
}
