import type { Permission } from '../kernel/permission.ts';
import { keyPermissions } from '../kms/key-permissions.ts';
import { parseCopySource } from './object/copy-source.ts';
import { encryptionHeaders } from './object/describe-object.ts';
import type { S3Call } from './operation.ts';
import type { ObjectStorage } from './store/object-storage.ts';

interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string | undefined;
}

const KEY = 'x-amz-server-side-encryption-aws-kms-key-id';

/** A permission on the bucket of the call. */
export const onBucket =
  (action: string) =>
  ({ bucket, query }: S3Call, { site }: ObjectStorage): Permission[] => [
    {
      action: `s3:${action}`,
      resource: `arn:${site.partition}:s3:::${bucket}`,
      context: { 's3:prefix': query.get('prefix') ?? '' },
    },
  ];

/** A permission on one object; a condition may ask for the encryption that the call wants. */
export function onOne(
  action: string,
  at: ObjectPlace,
  { headers }: S3Call,
  { site }: ObjectStorage,
): Permission {
  return {
    action: `s3:${action}`,
    resource: `arn:${site.partition}:s3:::${at.bucket}/${at.key}`,
    context: encryptionContext(headers),
  };
}

/** A permission on the object of the call, and one to tag it where the call brings tags. */
export function onObject(action: string, call: S3Call, storage: ObjectStorage): Permission[] {
  const tags =
    call.headers['x-amz-tagging'] === undefined ? [] : [onOne('PutObjectTagging', call, call, storage)];
  return [onOne(action, call, call, storage), ...tags];
}

/** The permission's name, which differs where the call names a version. */
export function ofVersion(action: string, { query }: S3Call): string {
  return query.has('versionId') ? `${action}Version` : action;
}

/** Permissions to read the object of the call. A caller who may not list the bucket does not learn that an object is missing. */
export function readObject(call: S3Call, storage: ObjectStorage): Permission[] {
  const { bucket, key, query } = call;
  const isThere = storage.catalog.buckets.get(bucket)?.current(key) !== undefined;
  const read = onOne(ofVersion('GetObject', call), call, call, storage);
  return isThere || query.has('versionId') ? [read] : [read, ...onBucket('ListBucket')(call, storage)];
}

/** Permissions to read and to decrypt the source of a copy. */
export function copySource(call: S3Call, storage: ObjectStorage): Permission[] {
  const source = parseCopySource(call.headers['x-amz-copy-source'] ?? '');
  const action = source.versionId === undefined ? 'GetObject' : 'GetObjectVersion';
  return [onOne(action, source, call, storage), ...onKey(keyOf(source, storage), ['Decrypt'], storage)];
}

/** Permission to decrypt the call's object, if a customer's key encrypts it. */
export function objectKey({ bucket, key, query }: S3Call, storage: ObjectStorage): Permission[] {
  const versionId = query.get('versionId') ?? undefined;
  return onKey(keyOf({ bucket, key, versionId }, storage), ['Decrypt'], storage);
}

/** Permission to encrypt a new object under a customer's key. */
export function newKey({ bucket, headers }: S3Call, storage: ObjectStorage): Permission[] {
  if (!storage.catalog.buckets.has(bucket)) return [];
  return onKey(encryptionHeaders(storage, bucket, headers)[KEY], ['GenerateDataKey'], storage);
}

/** Permissions on the customer's key with which an upload in parts was begun. */
export function uploadKey(
  { query }: S3Call,
  storage: ObjectStorage,
  calls: ('GenerateDataKey' | 'Decrypt')[],
): Permission[] {
  const upload = storage.catalog.uploads.get(query.get('uploadId') ?? '');
  return onKey(upload?.headers[KEY], calls, storage);
}

function onKey(keyId: string | undefined, calls: string[], { site }: ObjectStorage): Permission[] {
  return keyPermissions(site, 's3', keyId, calls);
}

function keyOf({ bucket, key, versionId }: ObjectPlace, { catalog }: ObjectStorage): string | undefined {
  const found = catalog.buckets.get(bucket);
  const version = versionId === undefined ? found?.current(key) : found?.version(key, versionId);
  return version?.deleteMarker ? undefined : version?.headers[KEY];
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
