import { randomBytes } from 'node:crypto';
import type { JournalEntry } from '../store/journal-entry.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { announceCreated, type Cause, type CreationReason } from './object-events.ts';
import { checkWriteConditions, type WriteConditions } from './write-conditions.ts';

interface NewVersion {
  readonly bucket: string;
  readonly key: string;
  readonly content: Omit<ObjectVersion, 'versionId'>;
  readonly conditions: WriteConditions;
  readonly reason: CreationReason;
  readonly cause: Cause;
  /** Entries that become true together with it. */
  readonly alongside?: readonly JournalEntry[];
}

/**
 * Makes content the newest version of its key and announces it. Conditions are checked and the change is committed without giving
 * anyone else a turn, so of many conditional writers one wins.
 *
 * @throws {AwsError} `NoSuchBucket`, `PreconditionFailed`, `NoSuchKey`
 */
export function storeVersion(storage: ObjectStorage, given: NewVersion): ObjectVersion {
  const bucket = storage.catalog.bucket(given.bucket);
  checkWriteConditions(given.conditions, bucket.current(given.key));
  const version = { ...given.content, versionId: newVersionId(storage, given.bucket) };
  storage.commit({ op: 'put', bucket: given.bucket, key: given.key, version }, ...(given.alongside ?? []));
  announceCreated(storage, given, version, given.reason, given.cause);
  return version;
}

/** Random where versions are kept; `null` where they are not, or no longer. */
export function newVersionId(storage: ObjectStorage, bucket: string): string {
  return versioningOf(storage, bucket) === 'Enabled' ? randomBytes(24).toString('base64url') : 'null';
}

/** Undefined if versioning was never turned on. */
export function versioningOf(
  { catalog }: ObjectStorage,
  bucket: string,
): 'Enabled' | 'Suspended' | undefined {
  const configuration = catalog.bucket(bucket).configurations.get('versioning');
  if (typeof configuration !== 'object' || configuration === null) return undefined;
  const status: unknown = Reflect.get(configuration, 'Status');
  return status === 'Enabled' || status === 'Suspended' ? status : undefined;
}

/** The header with the version that a call created or found; empty if the bucket has no versions. */
export function versionHeader(
  storage: ObjectStorage,
  bucket: string,
  version: ObjectVersion,
): { readonly 'x-amz-version-id'?: string } {
  return versioningOf(storage, bucket) === undefined ? {} : { 'x-amz-version-id': version.versionId };
}
