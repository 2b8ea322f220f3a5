import { AwsError } from '../../kernel/aws-error.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectDescription } from '../store/object-version.ts';
import { parseTagHeader } from './tags.ts';

/** HTTP headers that S3 keeps with an object and gives back. */
const KEPT = ['cache-control', 'content-disposition', 'content-language', 'expires'] as const;
const MAX_METADATA_BYTES = 2048;
const ALGORITHMS = ['AES256', 'aws:kms', 'aws:kms:dsse'];
/** Storage classes of buckets in ordinary AWS regions. */
const STORAGE_CLASSES = [
  'STANDARD',
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER',
  'GLACIER_IR',
  'DEEP_ARCHIVE',
];

/**
 * Reads what a request says of the object it creates.
 *
 * @throws {AwsError} `AccessControlListNotSupported`, `InvalidStorageClass`, `InvalidEncryptionAlgorithmError`,
 * `MetadataTooLarge`, `InvalidTag`
 */
export function describeObject(
  storage: ObjectStorage,
  bucket: string,
  headers: Readonly<Record<string, string>>,
): ObjectDescription {
  refuseAcls(headers);
  return {
    headers: { ...keptHeaders(headers), ...encryptionHeaders(storage, bucket, headers) },
    metadata: userMetadata(headers),
    tags: parseTagHeader(headers['x-amz-tagging']),
  };
}

function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = { 'content-type': headers['content-type'] ?? 'binary/octet-stream' };
  for (const name of KEPT) if (headers[name] !== undefined) kept[name] = headers[name];
  // `aws-chunked` is how the body traveled, not what it is.
  const encodings = (headers['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim());
  const own = encodings.filter((encoding) => encoding !== '' && encoding !== 'aws-chunked').join(',');
  if (own !== '') kept['content-encoding'] = own;
  const storageClass = headers['x-amz-storage-class'];
  if (storageClass !== undefined && !STORAGE_CLASSES.includes(storageClass))
    throw new AwsError(
      'InvalidStorageClass',
      `The storage class you specified is not valid: one of ${STORAGE_CLASSES.join(', ')}, is ${storageClass}`,
    );
  if (storageClass !== undefined && storageClass !== 'STANDARD') kept['x-amz-storage-class'] = storageClass;
  return kept;
}

function userMetadata(headers: Readonly<Record<string, string>>): Record<string, string> {
  const metadata: Record<string, string> = {};
  let sizeBytes = 0;
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith('x-amz-meta-')) continue;
    const name = header.slice('x-amz-meta-'.length);
    metadata[name] = value;
    sizeBytes += name.length + value.length;
  }
  if (sizeBytes > MAX_METADATA_BYTES)
    throw new AwsError(
      'MetadataTooLarge',
      `Your metadata headers exceed the maximum allowed metadata size: ${sizeBytes} bytes, at most ${MAX_METADATA_BYTES}`,
    );
  return metadata;
}

/** The encryption that the client asked for or the bucket demands; the bytes on this disk are not encrypted. */
export function encryptionHeaders(
  { catalog }: ObjectStorage,
  bucket: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const byDefault = defaultEncryption(catalog.bucket(bucket).configurations.get('encryption'));
  const algorithm = headers['x-amz-server-side-encryption'];
  const key = headers['x-amz-server-side-encryption-aws-kms-key-id'];
  if (algorithm === undefined) return byDefault;
  if (!ALGORITHMS.includes(algorithm))
    throw new AwsError(
      'InvalidEncryptionAlgorithmError',
      `The encryption request that you specified is not valid: one of ${ALGORITHMS.join(', ')}, is ${algorithm}`,
    );
  return {
    'x-amz-server-side-encryption': algorithm,
    ...(key === undefined ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': key }),
  };
}

function defaultEncryption(configuration: unknown): Record<string, string> {
  const algorithm = deepText(configuration, 'SSEAlgorithm') ?? 'AES256';
  const key = deepText(configuration, 'KMSMasterKeyID');
  return {
    'x-amz-server-side-encryption': algorithm,
    ...(key === undefined ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': key }),
  };
}

function deepText(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own: unknown = Reflect.get(value, name);
  if (typeof own === 'string') return own;
  for (const member of Object.values(value)) {
    const found = deepText(member, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refuseAcls(headers: Readonly<Record<string, string>>): void {
  const acl = headers['x-amz-acl'];
  if (
    (acl !== undefined && !OWNER_ACLS.includes(acl)) ||
    Object.keys(headers).some((h) => h.startsWith('x-amz-grant-'))
  )
    throw new AwsError('AccessControlListNotSupported', 'The bucket does not allow ACLs');
}

const OWNER_ACLS = ['private', 'bucket-owner-full-control'];
