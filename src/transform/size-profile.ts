/** Ratio of neighboring buckets: 2 %, which is the error of the 99th percentile. */
const RATIO = Math.log(1.02);
/** An object is an outlier above this many buckets over the 99th percentile's, which is four times as large. */
const OUTLIER_BUCKETS = Math.round(Math.log(4) / RATIO);

/** Sizes of many objects in little memory: a histogram of their logarithms. */
export class SizeProfile {
  count = 0;
  bytes = 0;
  largest = 0;
  readonly #buckets = new Map<number, number>();

  /** Adds an object of `size` bytes. */
  add(size: number): void {
    this.count += 1;
    this.bytes += size;
    this.largest = Math.max(this.largest, size);
    const bucket = bucketOf(size);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
  }

  /** Size in bytes that 99 % of the objects do not exceed, to 2 % above. */
  percentile99(): number {
    return Math.min(this.largest, largestOf(this.#bucket99()));
  }

  /** Size in bytes above which an object goes to a job of its own: four times the 99th percentile. */
  outlierBytes(): number {
    return largestOf(this.#bucket99() + OUTLIER_BUCKETS);
  }

  /**
   * Number of objects larger than `outlierBytes`, which is the end of a bucket so that they can be identified without another
   * pass.
   */
  outliers(): number {
    const last = this.#bucket99() + OUTLIER_BUCKETS;
    let count = 0;
    for (const [bucket, objects] of this.#buckets) if (bucket > last) count += objects;
    return count;
  }

  #bucket99(): number {
    const wanted = Math.ceil(this.count * 0.99);
    let seen = 0;
    let last = 0;
    for (const [bucket, count] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      last = bucket;
      seen += count;
      if (seen >= wanted) break;
    }
    return last;
  }
}

/** The largest size of a bucket, in whole bytes, so that a size belongs to a bucket exactly if it is no larger. */
function largestOf(bucket: number): number {
  return Math.floor(Math.exp(bucket * RATIO));
}

function bucketOf(size: number): number {
  const bucket = Math.ceil(Math.log(Math.max(1, size)) / RATIO);
  if (size > largestOf(bucket)) return bucket + 1;
  return bucket > 0 && size <= largestOf(bucket - 1) ? bucket - 1 : bucket;
}
