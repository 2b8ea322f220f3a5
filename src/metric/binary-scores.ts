/** Cap on the labelled records of a run whose scores are kept one by one; beyond it only histograms are. */
const MAX_RECORDS = 100_000;

/** Distinct scores of a class, lowest first, and their counts over all records and over those of the class itself. */
interface ScoreCounts {
  readonly scores: readonly number[];
  readonly all: Uint32Array;
  readonly own: Uint32Array;
}

/**
 * Both probabilities of each labelled record of two classes. A histogram gives the area under a curve within a bound; the scores
 * themselves give it exactly, for runs that fit in memory.
 */
export class BinaryScores {
  /** Scores of the first class and of the second, alternating. */
  #scores: number[] = [];
  #truths: number[] = [];
  #isWhole: boolean;

  /** @param isBinary false if records have other than two scores; nothing is kept then */
  constructor(isBinary: boolean) {
    this.#isWhole = isBinary;
  }

  /** @param truth 0 or 1 */
  add(first: number, second: number, truth: number): void {
    if (!this.#isWhole) return;
    if (this.#truths.length === MAX_RECORDS) return this.#drop();
    this.#scores.push(first, second);
    this.#truths.push(truth);
  }

  /** How often each distinct score of a class occurs. Undefined if the scores of any record were not kept. */
  countsOf(id: number, records: number): ScoreCounts | undefined {
    if (!this.#isWhole || this.#truths.length !== records) return undefined;
    const scores = Float64Array.from(this.#truths, (_, record) => this.#scores[2 * record + id] ?? 0);
    const distinct = new Map([...new Set(scores.toSorted())].map((score, place) => [score, place]));
    const all = new Uint32Array(distinct.size);
    const own = new Uint32Array(distinct.size);
    for (const [record, score] of scores.entries()) {
      const place = distinct.get(score) ?? 0;
      all[place] = (all[place] ?? 0) + 1;
      if (this.#truths[record] === id) own[place] = (own[place] ?? 0) + 1;
    }
    return { scores: [...distinct.keys()], all, own };
  }

  /** Base64 of the scores as doubles, then of the truths as bytes; null if scores were not kept. */
  pack(): string | null {
    if (!this.#isWhole) return null;
    const scores = new Uint8Array(Float64Array.from(this.#scores).buffer);
    return Buffer.concat([scores, Uint8Array.from(this.#truths)]).toString('base64');
  }

  /** Adds the packed scores of another shard. */
  merge(packed: string | null): void {
    if (packed === null) return this.#drop();
    const bytes = Buffer.from(packed, 'base64');
    const records = bytes.length / RECORD_BYTES;
    for (let record = 0; record < records; record++) {
      const at = record * 2 * Float64Array.BYTES_PER_ELEMENT;
      const truth = bytes[records * 2 * Float64Array.BYTES_PER_ELEMENT + record] ?? 0;
      this.add(bytes.readDoubleLE(at), bytes.readDoubleLE(at + Float64Array.BYTES_PER_ELEMENT), truth);
    }
  }

  #drop(): void {
    this.#isWhole = false;
    [this.#scores, this.#truths] = [[], []];
  }
}

const RECORD_BYTES = 2 * Float64Array.BYTES_PER_ELEMENT + 1;
