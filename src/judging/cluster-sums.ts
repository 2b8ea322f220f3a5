import * as z from 'zod';
import { CountPacker, unpackCounts } from '../metric/packed-counts.ts';
import { weighedClusters } from './effective-count.ts';
import type { RightOf } from './right-of.ts';

/** Sums by cluster as stored, packed. */
export const StoredClusters = z.object({ right: z.string(), count: z.string() });
export type StoredClusters = z.infer<typeof StoredClusters>;

/** Sums of a part by bucket. A cluster has the same one in each part. */
export type PartClusters = ReadonlyMap<number, RightOf>;

/**
 * Buckets of the whole run, and of each of its parts: powers of two. Clusters that share one are independent, so that it
 * costs only degrees of freedom.
 */
const WHOLE = 65_536;
const PART = 256;

/** Bucket of a cluster, among 65,536: FNV-1a with the last step of MurmurHash3. */
export function clusterBucket(name: string): number {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) % WHOLE;
}

/** Counts by bucket. */
interface Buckets {
  readonly right: Uint32Array;
  readonly count: Uint32Array;
}

/** Number of the whole among the parts. */
const NO_PART = -1;

/**
 * Right answers by cluster, of a run and of parts of it, such as its classes. They merge in any order, and take memory for
 * the parts that occur.
 */
export class ClusterSums {
  readonly #parts = new Map<number, Buckets>();

  /** @param part its number; undefined for the whole */
  add(bucket: number, isRight: boolean, part = NO_PART): void {
    const { right, count } = this.#of(part);
    // The buckets of a part are the whole's buckets, merged.
    const at = bucket & (count.length - 1);
    count[at] = (count[at] ?? 0) + 1;
    if (isRight) right[at] = (right[at] ?? 0) + 1;
  }

  /** @param toStored the stored number of a part */
  store(toStored = (part: number): number => part): StoredClusters {
    const parts = [...this.#parts]
      .map(([part, sums]) => [toStored(part), sums] as const)
      .toSorted(([a], [b]) => a - b);
    return { right: pack(parts, ({ right }) => right), count: pack(parts, ({ count }) => count) };
  }

  /** @param toPart the number here of a part of the stored sums */
  merge({ right, count }: StoredClusters, toPart: (part: number) => number): void {
    const merge = (packed: string, countsOf: (sums: Buckets) => Uint32Array): void => {
      unpackCounts(packed, (place, times) => {
        const inPart = place - WHOLE;
        const counts = countsOf(this.#of(inPart < 0 ? NO_PART : toPart(Math.floor(inPart / PART))));
        const bucket = place & (counts.length - 1);
        counts[bucket] = (counts[bucket] ?? 0) + times;
      });
    };
    merge(right, (sums) => sums.right);
    merge(count, (sums) => sums.count);
  }

  /** Number of independent records that the run's records are worth if all records of a cluster are alike; undefined without clusters. */
  worth(): number | undefined {
    const whole = this.whole();
    return whole.length === 0 ? undefined : weighedClusters(whole);
  }

  /** Adds the sums of a part to another part's, and drops them. */
  move(part: number, into: number): void {
    const from = this.#parts.get(part);
    if (from === undefined) return;
    this.#parts.delete(part);
    const to = this.#of(into);
    for (let bucket = 0; bucket < PART; bucket++) {
      to.right[bucket] = (to.right[bucket] ?? 0) + (from.right[bucket] ?? 0);
      to.count[bucket] = (to.count[bucket] ?? 0) + (from.count[bucket] ?? 0);
    }
  }

  /** Sums of the run, in the order of their buckets. */
  whole(): readonly RightOf[] {
    return [...(this.part(NO_PART)?.values() ?? [])];
  }

  /** Sums of a part; undefined if there are none. */
  part(part: number): PartClusters | undefined {
    const sums = this.#parts.get(part);
    return sums && toClusters(sums);
  }

  #of(part: number): Buckets {
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const buckets = part === NO_PART ? WHOLE : PART;
    const fresh = { right: new Uint32Array(buckets), count: new Uint32Array(buckets) };
    this.#parts.set(part, fresh);
    return fresh;
  }
}

function pack(
  parts: readonly (readonly [number, Buckets])[],
  countsOf: (sums: Buckets) => Uint32Array,
): string {
  const packer = new CountPacker();
  for (const [part, sums] of parts) {
    const first = part === NO_PART ? 0 : WHOLE + part * PART;
    forEachCount(countsOf(sums), (times, bucket) => packer.add(first + bucket, times));
  }
  return packer.finish();
}

function toClusters({ right, count }: Buckets): PartClusters {
  const clusters = new Map<number, RightOf>();
  forEachCount(count, (all, bucket) => clusters.set(bucket, { right: right[bucket] ?? 0, count: all }));
  return clusters;
}

/** Visits the counts above 0. An iterator would make an array for each bucket, and a shard has a hundred thousand of them. */
function forEachCount(counts: Uint32Array, visit: (times: number, bucket: number) => void): void {
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const times = counts[bucket] ?? 0;
    if (times > 0) visit(times, bucket);
  }
}

/** Number of clusters behind this many buckets, by linear counting (Whang, Vander-Zanden, Taylor 1990). */
export function clustersIn(buckets: number): number {
  return buckets === WHOLE ? WHOLE : Math.round(-WHOLE * Math.log(1 - buckets / WHOLE));
}

/** Sums of parts that don't overlap, as one part. */
export function joinClusters(parts: readonly PartClusters[]): PartClusters {
  const joined = new Map<number, RightOf>();
  for (const part of parts)
    for (const [bucket, { right, count: all }] of part) {
      const known = joined.get(bucket) ?? { right: 0, count: 0 };
      joined.set(bucket, { right: known.right + right, count: known.count + all });
    }
  return joined;
}
