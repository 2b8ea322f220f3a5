import type { Bucket } from '../store/bucket.ts';
import { fromByteOrder, pastPrefix, toByteOrder } from '../store/byte-order.ts';
import type { ObjectVersion } from '../store/object-version.ts';

interface PageRequest {
  readonly prefix: string;
  /** Empty for none. */
  readonly delimiter: string;
  /** Only keys and common prefixes above it; empty for none. */
  readonly after: string;
  readonly maxKeys: number;
}

/** A page of current objects and common prefixes, each in the order of their UTF-8 bytes. */
export interface ObjectPage {
  readonly objects: readonly { readonly key: string; readonly version: ObjectVersion }[];
  readonly commonPrefixes: readonly string[];
  /** The last key or common prefix of a page that is not the last; the next page's `after`. */
  readonly next: string | undefined;
}

/** One page of the current objects in UTF-8 byte order. A common prefix counts as one key, and the keys below it are stepped over. */
export function listPage(bucket: Bucket, { prefix, delimiter, after, maxKeys }: PageRequest): ObjectPage {
  const bytes = { prefix: toByteOrder(prefix), delimiter: toByteOrder(delimiter), after: toByteOrder(after) };
  const objects: { key: string; version: ObjectVersion }[] = [];
  const commonPrefixes: string[] = [];
  let last: string | undefined;
  for (const { key, commonPrefix } of entries(bucket, bytes)) {
    const version = commonPrefix === undefined ? bucket.currentAt(key) : undefined;
    if (commonPrefix === undefined && version === undefined) continue;
    if (objects.length + commonPrefixes.length >= maxKeys) {
      // `max-keys=0` asks for nothing and is answered as if there were no more.
      return { objects, commonPrefixes, next: last };
    }
    if (version) objects.push({ key: fromByteOrder(key), version });
    else if (commonPrefix !== undefined) commonPrefixes.push(fromByteOrder(commonPrefix));
    last = fromByteOrder(commonPrefix ?? key);
  }
  return { objects, commonPrefixes, next: undefined };
}

/** Keys, and each common prefix once, in byte order form. */
function* entries(
  bucket: Bucket,
  {
    prefix,
    delimiter,
    after,
  }: { readonly prefix: string; readonly delimiter: string; readonly after: string },
): Generator<{ readonly key: string; readonly commonPrefix?: string }> {
  let from = after > prefix ? after : prefix;
  const commonPrefixOf = (key: string): string | undefined => {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    return end < 0 ? undefined : key.slice(0, end + delimiter.length);
  };
  for (;;) {
    let jumped = false;
    for (const key of bucket.keys.from(from)) {
      if (!key.startsWith(prefix)) return;
      if (after !== '' && key <= after) continue;
      const commonPrefix = commonPrefixOf(key);
      if (commonPrefix === undefined) {
        yield { key };
        continue;
      }
      // A page that ended in the middle of a common prefix has listed it already.
      const isTold = after !== '' && after.startsWith(commonPrefix);
      if (!isTold && hasCurrent(bucket, commonPrefix)) yield { key, commonPrefix };
      from = pastPrefix(commonPrefix);
      jumped = true;
      break;
    }
    if (!jumped) return;
  }
}

/** A prefix with only deleted objects isn't a common prefix. */
function hasCurrent(bucket: Bucket, prefix: string): boolean {
  for (const key of bucket.keys.from(prefix)) {
    if (!key.startsWith(prefix)) return false;
    if (bucket.currentAt(key)) return true;
  }
  return false;
}
