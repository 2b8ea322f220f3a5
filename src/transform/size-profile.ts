/** Neighbouring buckets differ by 2 %, so that the 99th percentile is known to 2 %. */
const RATIO = Math.log(1.02);
/** An object is an outlier above so many times the 99th percentile. */
const OUTLIER_FACTOR = 4;

/** Sizes of many objects in little memory: a histogram of their logarithms. */
export class SizeProfile {
  count = 0;
  bytes = 0;
  largest = 0;
  readonly #buckets = new Map<number, number>();

  /** Adds an object of so many bytes. */
  add(size: number): void {
    this.count += 1;
    this.bytes += size;
    this.largest = Math.max(this.largest, size);
    const bucket = Math.ceil(Math.log(Math.max(1, size)) / RATIO);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
  }

  /** Size in bytes that 99 % of the objects do not exceed, to 2 % above. */
  percentile99(): number {
    const wanted = Math.ceil(this.count * 0.99);
    let seen = 0;
    for (const [bucket, count] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      seen += count;
      if (seen >= wanted) return Math.min(this.largest, Math.exp(bucket * RATIO));
    }
    return this.largest;
  }

  /** Size in bytes above which an object goes to a job of its own. */
  outlierBytes(): number {
    return OUTLIER_FACTOR * this.percentile99();
  }
}
