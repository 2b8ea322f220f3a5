import { fromByteOrder, toByteOrder } from './byte-order.ts';
import type { ObjectVersion } from './object-version.ts';
import { SortedKeys } from './sorted-keys.ts';

/** The metadata of one bucket, in memory. It is changed only by replaying journal entries. */
export class Bucket {
  readonly name: string;
  readonly createdMs: number;
  /** Configurations by subresource, as in `versioning`. */
  readonly configurations = new Map<string, unknown>();
  /** Every key that has a version or a delete marker, in byte order form. */
  readonly keys = new SortedKeys();
  /** Newest first, by key in byte order form. */
  readonly #versions = new Map<string, ObjectVersion[]>();

  constructor(name: string, createdMs: number) {
    this.name = name;
    this.createdMs = createdMs;
  }

  get isEmpty(): boolean {
    return this.keys.size === 0;
  }

  /** The version that a GET without version id finds: none, if the newest version is a delete marker. */
  current(key: string): ObjectVersion | undefined {
    return this.currentAt(toByteOrder(key));
  }

  /** The version that `current` finds, for a key in byte order form. */
  currentAt(byteKey: string): ObjectVersion | undefined {
    const newest = this.#versions.get(byteKey)?.[0];
    return newest?.deleteMarker ? undefined : newest;
  }

  /** The newest version or delete marker. */
  newest(key: string): ObjectVersion | undefined {
    return this.#versions.get(toByteOrder(key))?.[0];
  }

  /** Newest first, for a key in byte order form. */
  versionsAt(byteKey: string): readonly ObjectVersion[] {
    return this.#versions.get(byteKey) ?? [];
  }

  version(key: string, versionId: string): ObjectVersion | undefined {
    return this.versionsAt(toByteOrder(key)).find((version) => version.versionId === versionId);
  }

  /** Gives back the version that it replaced. */
  put(key: string, version: ObjectVersion): ObjectVersion | undefined {
    const byteKey = toByteOrder(key);
    const versions = this.#versions.get(byteKey);
    if (versions === undefined) {
      this.#versions.set(byteKey, [version]);
      this.keys.add(byteKey);
      return undefined;
    }
    const at = versions.findIndex(({ versionId }) => versionId === version.versionId);
    const [replaced] = at < 0 ? [] : versions.splice(at, 1);
    versions.unshift(version);
    return replaced;
  }

  /** Gives back the version that it removed. */
  remove(key: string, versionId: string): ObjectVersion | undefined {
    const byteKey = toByteOrder(key);
    const versions = this.#versions.get(byteKey) ?? [];
    const at = versions.findIndex((version) => version.versionId === versionId);
    if (at < 0) return undefined;
    const [removed] = versions.splice(at, 1);
    if (versions.length === 0) {
      this.#versions.delete(byteKey);
      this.keys.delete(byteKey);
    }
    return removed;
  }

  /** Every version of every key, oldest first within a key, as a journal would have brought them. */
  *allVersions(): Generator<{ readonly key: string; readonly version: ObjectVersion }> {
    for (const [byteKey, versions] of this.#versions) {
      const key = fromByteOrder(byteKey);
      for (const version of versions.toReversed()) yield { key, version };
    }
  }
}
