import { compareByteOrder } from '../text/byte-order.ts';
import type { ManifestEntry } from './manifest-entry.ts';

/** One version of a file that a manifest has or had. */
export type CoveredEntry = Pick<ManifestEntry, 'key' | 'etag' | 'lastModified'>;

/** Result of the merge for one key. */
export interface MergedKey {
  readonly key: string;
  /** The listed version, if no manifest had it. */
  readonly fresh?: ManifestEntry;
  /** All versions of the key that manifests have had, the fresh one included. */
  readonly covered: readonly CoveredEntry[];
}

/**
 * Merges a listing with the versions covered before, both in byte order of their keys, key by key.
 *
 * Memory holds one key. A file that was deleted stays covered until it is forgotten: if its old version comes back, it was
 * predicted already.
 *
 * @param forgetBefore versions last modified before this time and not listed are forgotten; UTC, ISO 8601 with milliseconds,
 * so that texts compare
 * @throws {RangeError} if either is out of order, since entries would be lost silently
 */
export async function* mergeCovered(
  listing: AsyncIterable<ManifestEntry>,
  covered: AsyncIterable<CoveredEntry>,
  forgetBefore = '',
): AsyncGenerator<MergedKey> {
  const before = inOrder(covered, 'covered')[Symbol.asyncIterator]();
  let next = await before.next();
  for await (const entry of inOrder(listing, 'listing')) {
    while (!next.done && compareByteOrder(next.value.key, entry.key) < 0) {
      const group = await takeKey(next.value);
      yield { key: group.key, covered: group.versions };
    }
    const known = !next.done && next.value.key === entry.key ? await takeKey(next.value, entry) : undefined;
    const versions = known?.versions ?? [];
    if (versions.some((version) => isSameVersion(version, entry)))
      yield { key: entry.key, covered: versions };
    else yield { key: entry.key, fresh: entry, covered: [...versions, toCovered(entry)] };
  }
  while (!next.done) {
    const group = await takeKey(next.value);
    yield { key: group.key, covered: group.versions };
  }

  async function takeKey(
    first: CoveredEntry,
    listed?: CoveredEntry,
  ): Promise<{ key: string; versions: CoveredEntry[] }> {
    const versions = [first];
    for (next = await before.next(); !next.done && next.value.key === first.key; next = await before.next()) {
      versions.push(next.value);
    }
    const isKept = (version: CoveredEntry): boolean =>
      version.lastModified >= forgetBefore || (listed !== undefined && isSameVersion(version, listed));
    return { key: first.key, versions: versions.filter(isKept) };
  }
}

/** The version of a file, without other fields of its entry. */
export function toCovered({ key, etag, lastModified }: CoveredEntry): CoveredEntry {
  return { key, etag, lastModified };
}

/** A version of a file is identified by key, ETag and LastModified. */
function isSameVersion(a: CoveredEntry, b: CoveredEntry): boolean {
  return a.key === b.key && a.etag === b.etag && a.lastModified === b.lastModified;
}

async function* inOrder<T extends { readonly key: string }>(
  entries: AsyncIterable<T>,
  name: string,
): AsyncGenerator<T> {
  let previous: string | undefined;
  for await (const entry of entries) {
    if (previous !== undefined && compareByteOrder(previous, entry.key) > 0) {
      throw new RangeError(
        `${name} must be in byte order, has ${JSON.stringify(entry.key)} after ${JSON.stringify(previous)}`,
      );
    }
    previous = entry.key;
    yield entry;
  }
}
