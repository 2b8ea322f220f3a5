/** Cap on the scores of a run, records times classes, that are kept one by one; beyond it only histograms are. */
const MAX_SCORES = 2_000_000;

/** Distinct scores of a class, lowest first, and their counts over all records and over the class's own. */
interface ScoreCounts {
  readonly scores: Float64Array;
  readonly all: Uint32Array;
  readonly own: Uint32Array;
}

/**
 * All probabilities of each labeled record. A histogram gives the area under a curve within a bound; the scores
 * themselves give it exactly, for runs that fit in memory.
 */
export class ExactScores {
  readonly #classes: number;
  #isWhole: boolean;
  #records = 0;
  /** Scores of one record after another. */
  #scores = new Float64Array(0);
  #truths = new Uint32Array(0);

  /**
   * @param classes scores of a record
   * @param expected records of the run, as far as known: nothing is kept if they are too many
   */
  constructor(classes: number, expected = 0) {
    this.#classes = classes;
    this.#isWhole = classes > 0 && expected * classes <= MAX_SCORES;
  }

  /** @param truth index of the true class's score */
  add(scores: ArrayLike<number>, truth: number): void {
    if (!this.#reserve(1)) return;
    this.#scores.set(scores, this.#records * this.#classes);
    this.#truths[this.#records++] = truth;
  }

  /** How often each distinct score of a class occurs. Undefined if the scores of any record were not kept. */
  countsOf(score: number, records: number): ScoreCounts | undefined {
    if (!this.#isWhole || this.#records !== records) return undefined;
    const all = new Float64Array(records);
    const own = new Float64Array(records);
    let owned = 0;
    for (let record = 0; record < records; record++) {
      const value = this.#scores[record * this.#classes + score] ?? 0;
      all[record] = value;
      if (this.#truths[record] === score) own[owned++] = value;
    }
    return countDistinct(sorted(all), sorted(own.slice(0, owned)));
  }

  /** Base64 of the scores as doubles, then of the truths as integers of 32 bits; null if scores were not kept. */
  pack(): string | null {
    if (!this.#isWhole) return null;
    const scores = new Uint8Array(this.#scores.buffer, 0, this.#records * this.#classes * SCORE_BYTES);
    const truths = new Uint8Array(this.#truths.buffer, 0, this.#records * TRUTH_BYTES);
    return Buffer.concat([scores, truths]).toString('base64');
  }

  /** Adds the packed scores of another shard. */
  merge(packed: string | null): void {
    if (packed === null) return this.#drop();
    const bytes = Uint8Array.from(Buffer.from(packed, 'base64')).buffer;
    const records = bytes.byteLength / (this.#classes * SCORE_BYTES + TRUTH_BYTES);
    if (!this.#reserve(records)) return;
    const values = records * this.#classes;
    this.#scores.set(new Float64Array(bytes, 0, values), this.#records * this.#classes);
    this.#truths.set(new Uint32Array(bytes, values * SCORE_BYTES, records), this.#records);
    this.#records += records;
  }

  /** Makes room for more records; false if they are too many. */
  #reserve(more: number): boolean {
    if (!this.#isWhole) return false;
    const records = this.#records + more;
    if (records * this.#classes > MAX_SCORES) {
      this.#drop();
      return false;
    }
    if (records > this.#truths.length) {
      const room = Math.max(records, 2 * this.#truths.length, 64);
      const [scores, truths] = [this.#scores, this.#truths];
      this.#scores = new Float64Array(room * this.#classes);
      this.#truths = new Uint32Array(room);
      this.#scores.set(scores);
      this.#truths.set(truths);
    }
    return true;
  }

  #drop(): void {
    this.#isWhole = false;
    this.#records = 0;
    [this.#scores, this.#truths] = [new Float64Array(0), new Uint32Array(0)];
  }
}

const SCORE_BYTES = Float64Array.BYTES_PER_ELEMENT;
const TRUTH_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Sorts probabilities in place. The bits of doubles that aren't negative are in their order, and integers sort twice as fast. */
function sorted(probabilities: Float64Array<ArrayBuffer>): Float64Array {
  new BigInt64Array(probabilities.buffer).sort();
  return probabilities;
}

/** @param all sorted, as is `own`, a part of it */
function countDistinct(all: Float64Array, own: Float64Array): ScoreCounts {
  const scores = new Float64Array(all.length);
  const counts = { all: new Uint32Array(all.length), own: new Uint32Array(all.length) };
  let distinct = 0;
  for (let at = 0, ownAt = 0; at < all.length; distinct++) {
    const value = all[at] ?? 0;
    const [start, ownStart] = [at, ownAt];
    while (at < all.length && all[at] === value) at++;
    while (ownAt < own.length && own[ownAt] === value) ownAt++;
    scores[distinct] = value;
    counts.all[distinct] = at - start;
    counts.own[distinct] = ownAt - ownStart;
  }
  return {
    scores: scores.subarray(0, distinct),
    all: counts.all.subarray(0, distinct),
    own: counts.own.subarray(0, distinct),
  };
}
