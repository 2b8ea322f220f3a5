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
  const bytesAfter = after === '' ? undefined : toByteOrder(after);
  const objects: { key: string; version: ObjectVersion }[] = [];
  const commonPrefixes: string[] = [];
  let last: string | undefined;
  for (const { key, commonPrefix } of keysAndPrefixes(bucket, { prefix, delimiter, after })) {
    const version = commonPrefix === undefined ? bucket.currentAt(key) : undefined;
    const isListed =
      commonPrefix === undefined ? version && key !== bytesAfter : hasCurrent(bucket, commonPrefix);
    if (!isListed) continue;
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

/**
 * Keys from `after` on, with or without versions, and each common prefix once, with its first key; all in byte order form. The keys below a
 * common prefix are stepped over.
 */
export function* keysAndPrefixes(
  bucket: Bucket,
  page: Pick<PageRequest, 'prefix' | 'delimiter' | 'after'>,
): Generator<{ readonly key: string; readonly commonPrefix?: string }> {
  const prefix = toByteOrder(page.prefix);
  const delimiter = toByteOrder(page.delimiter);
  const after = toByteOrder(page.after);
  for (let from = after > prefix ? after : prefix; ;) {
    const key = bucket.keys.atOrAfter(from);
    if (!key?.startsWith(prefix)) return;
    from = `${key}\u0000`;
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (end < 0) yield { key };
    else {
      const commonPrefix = key.slice(0, end + delimiter.length);
      from = pastPrefix(commonPrefix);
      // A page that ended in the middle of a common prefix has listed it already.
      if (after === '' || !after.startsWith(commonPrefix)) yield { key, commonPrefix };
    }
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
