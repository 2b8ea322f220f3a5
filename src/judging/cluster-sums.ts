import * as z from 'zod';
import { count, mergePacked, packSparse, type SparseCounts } from '../metric/sparse-counts.ts';
import type { RightOf } from './right-of.ts';

/** Sums by cluster as stored, packed. */
export const StoredClusters = z.object({ right: z.string(), count: z.string() });
export type StoredClusters = z.infer<typeof StoredClusters>;

/** Buckets of the whole run, and of each of its parts. Clusters that share one are independent, so that it costs only degrees of freedom. */
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

/** Right answers by cluster, of a run and of parts of it, such as its classes. They merge in any order, and take memory for what occurs. */
export class ClusterSums {
  readonly #right: SparseCounts = new Map();
  readonly #count: SparseCounts = new Map();

  /** @param part its number; undefined for the whole */
  add(bucket: number, isRight: boolean, part?: number): void {
    const place = part === undefined ? bucket : WHOLE + part * PART + (bucket % PART);
    count(this.#count, place);
    if (isRight) count(this.#right, place);
  }

  store(): StoredClusters {
    return { right: packSparse(this.#right), count: packSparse(this.#count) };
  }

  /** @param toPart the number here of a part of the stored sums */
  merge({ right, count: all }: StoredClusters, toPart: (part: number) => number): void {
    const toPlace = (place: number): number =>
      place < WHOLE
        ? place
        : WHOLE + toPart(Math.floor((place - WHOLE) / PART)) * PART + ((place - WHOLE) % PART);
    mergePacked(this.#right, right, toPlace);
    mergePacked(this.#count, all, toPlace);
  }

  /** Sums of the run by bucket, and those of its parts. */
  byPart(): { readonly whole: readonly RightOf[]; readonly parts: ReadonlyMap<number, readonly RightOf[]> } {
    const whole: RightOf[] = [];
    const parts = new Map<number, RightOf[]>();
    for (const [place, all] of this.#count) {
      const sums = { right: this.#right.get(place) ?? 0, count: all };
      if (place < WHOLE) whole.push(sums);
      else {
        const part = Math.floor((place - WHOLE) / PART);
        const known = parts.get(part);
        if (known === undefined) parts.set(part, [sums]);
        else known.push(sums);
      }
    }
    return { whole, parts };
  }
}

/** Number of clusters whose sums are in so many buckets, by linear counting (Whang, Vander-Zanden, Taylor 1990). */
export function clustersIn(buckets: number): number {
  return buckets === WHOLE ? WHOLE : Math.round(-WHOLE * Math.log(1 - buckets / WHOLE));
}
