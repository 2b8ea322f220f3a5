import { randomUUID } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { lifecycle, type LifecycleRule } from '../configuration/lifecycle.ts';
import { deleteVersion } from '../object/delete-version.ts';
import type { Bucket } from '../store/bucket.ts';
import { fromByteOrder } from '../store/byte-order.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { ObjectVersion } from '../store/object-version.ts';

/**
 * Carries out what the lifecycle rules of all buckets have made due: S3 adds a rule's days to the age and rounds up to the next
 * midnight of UTC (user guide, "Lifecycle rules: based on an object's age").
 */
export function applyLifecycle(storage: ObjectStorage): void {
  for (const bucket of storage.catalog.buckets.values()) {
    const kept = bucket.configurations.get(lifecycle.subresource);
    if (kept === undefined) continue;
    const rules = lifecycle.schema.parse(kept).Rule.filter(({ Status }) => Status === 'Enabled');
    expireVersions(storage, bucket, rules);
    endUploads(storage, bucket, rules);
  }
}

function expireVersions(storage: ObjectStorage, bucket: Bucket, rules: readonly LifecycleRule[]): void {
  const nowMs = storage.clock.now();
  // A copy, since the keys change on the way.
  for (const byteKey of Array.from(bucket.keys.from(''))) {
    const key = fromByteOrder(byteKey);
    // What each rule finds is what was there when the day began.
    const versions = [...bucket.versionsAt(byteKey)];
    const remove = (versionId: string | undefined): void =>
      void deleteVersion(
        storage,
        { bucket: bucket.name, key, versionId },
        { requestId: randomUUID(), isRule: true },
      );
    const [newest] = versions;
    if (newest && rules.some((rule) => isInScope(rule, key, newest) && isExpired(rule, versions, nowMs)))
      remove(newest.deleteMarker ? newest.versionId : undefined);
    for (const [at, version] of versions.entries()) {
      const successor = versions[at - 1];
      if (
        successor &&
        rules.some((rule) => isInScope(rule, key, version) && isOld(rule, at, successor, nowMs))
      )
        remove(version.versionId);
    }
  }
}

/** Whether the days of a newest version are over, or a delete marker hides nothing any more. */
function isExpired(
  { Expiration: expiration }: LifecycleRule,
  [newest, ...older]: readonly ObjectVersion[],
  nowMs: number,
): boolean {
  if (newest === undefined || expiration === undefined) return false;
  if (newest.deleteMarker && older.length > 0) return false;
  if (newest.deleteMarker && expiration.ExpiredObjectDeleteMarker === 'true') return true;
  const { Days, Date: date } = expiration;
  return isDue(newest.lastModifiedMs, Days, nowMs) || (date !== undefined && Date.parse(date) <= nowMs);
}

/** A version is old since the one after it was made; `at` is how many are newer. */
function isOld(
  { NoncurrentVersionExpiration: expiration }: LifecycleRule,
  at: number,
  successor: ObjectVersion,
  nowMs: number,
): boolean {
  if (expiration === undefined || at <= Number(expiration.NewerNoncurrentVersions ?? 0)) return false;
  return isDue(successor.lastModifiedMs, expiration.NoncurrentDays, nowMs);
}

function endUploads(storage: ObjectStorage, { name }: Bucket, rules: readonly LifecycleRule[]): void {
  for (const { bucket, key, uploadId, initiatedMs } of Array.from(storage.catalog.uploads.values())) {
    const isLeft = rules.some(
      (rule) =>
        key.startsWith(prefixOf(rule)) &&
        isDue(initiatedMs, rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation, storage.clock.now()),
    );
    if (bucket === name && isLeft) storage.commit({ op: 'end-upload', uploadId });
  }
}

function isDue(sinceMs: number, days: string | undefined, nowMs: number): boolean {
  return days !== undefined && toMidnight(sinceMs + Number(days) * DAY_MS) <= nowMs;
}

/** The prefix that a rule is limited to; empty for the whole bucket. */
function prefixOf({ Prefix, Filter }: LifecycleRule): string {
  return Prefix ?? Filter?.Prefix ?? Filter?.And?.Prefix ?? '';
}

/** Whether a version, or a delete marker in its place, is one that a rule is about. */
function isInScope(rule: LifecycleRule, key: string, { size, tags }: ObjectVersion): boolean {
  const { Filter: filter } = rule;
  const more = filter?.ObjectSizeGreaterThan ?? filter?.And?.ObjectSizeGreaterThan;
  const less = filter?.ObjectSizeLessThan ?? filter?.And?.ObjectSizeLessThan;
  return (
    rule.Status === 'Enabled' &&
    key.startsWith(prefixOf(rule)) &&
    (more === undefined || size > Number(more)) &&
    (less === undefined || size < Number(less)) &&
    [...(filter?.Tag ?? []), ...(filter?.And?.Tag ?? [])].every(({ Key, Value }) => tags[Key] === Value)
  );
}

/** A day as lifecycle rules count it, in milliseconds. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Calls back now, and at every midnight of UTC from then on. Returns a way to end it. */
export function everyMidnight(clock: Clock, callback: () => void): () => void {
  let cancel: () => void;
  const next = (): void => {
    callback();
    const now = clock.now();
    cancel = clock.after(toMidnight(now + 1) - now, next);
  };
  next();
  return () => cancel();
}

/** The first midnight of UTC that is not before a moment, in milliseconds since the epoch. */
function toMidnight(ms: number): number {
  return Math.ceil(ms / DAY_MS) * DAY_MS;
}
