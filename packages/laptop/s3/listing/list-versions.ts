import type { Bucket } from '../store/bucket.ts';
import { fromByteOrder, toByteOrder } from '../store/byte-order.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { keysAndPrefixes } from './list-page.ts';

/** Where a page of versions ended. The version id is empty if it ended with a common prefix, or means all versions of the key. */
export interface VersionMarker {
  readonly key: string;
  readonly versionId: string;
}

interface VersionPage {
  readonly versions: readonly {
    readonly key: string;
    readonly version: ObjectVersion;
    readonly isLatest: boolean;
  }[];
  readonly commonPrefixes: readonly string[];
  readonly next: VersionMarker | undefined;
}

/** One page of versions and delete markers: keys in UTF-8 byte order, the versions of a key newest first. */
export function listVersions(
  bucket: Bucket,
  request: {
    readonly prefix: string;
    readonly delimiter: string;
    readonly after: VersionMarker;
    readonly maxKeys: number;
  },
): VersionPage {
  const versions: { key: string; version: ObjectVersion; isLatest: boolean }[] = [];
  const commonPrefixes: string[] = [];
  let last: VersionMarker | undefined;
  for (const entry of entries(bucket, request)) {
    if (versions.length + commonPrefixes.length >= request.maxKeys)
      return { versions, commonPrefixes, next: last };
    if ('commonPrefix' in entry) {
      commonPrefixes.push(entry.commonPrefix);
      last = { key: entry.commonPrefix, versionId: '' };
    } else {
      versions.push(entry);
      last = { key: entry.key, versionId: entry.version.versionId };
    }
  }
  return { versions, commonPrefixes, next: undefined };
}

type Entry =
  | { readonly key: string; readonly version: ObjectVersion; readonly isLatest: boolean }
  | { readonly commonPrefix: string };

function* entries(
  bucket: Bucket,
  { prefix, delimiter, after }: Parameters<typeof listVersions>[1],
): Generator<Entry> {
  const afterKey = toByteOrder(after.key);
  for (const { key: byteKey, commonPrefix } of keysAndPrefixes(bucket, {
    prefix,
    delimiter,
    after: after.key,
  })) {
    if (commonPrefix !== undefined) {
      yield { commonPrefix: fromByteOrder(commonPrefix) };
      continue;
    }
    // Without a version id the marker means that the whole key has been listed.
    const all = bucket.versionsAt(byteKey);
    const skipped =
      byteKey === afterKey
        ? after.versionId === ''
          ? all.length
          : all.findIndex(({ versionId }) => versionId === after.versionId) + 1
        : 0;
    const key = fromByteOrder(byteKey);
    for (const [index, version] of all.entries())
      if (index >= skipped) yield { key, version, isLatest: index === 0 };
  }
}
