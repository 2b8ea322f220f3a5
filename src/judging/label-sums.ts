import * as z from 'zod';
import { addTo, type ExactSum, exactSum, mergeSum } from '../metric/exact-sum.ts';
import { CountPacker, unpackCounts } from '../metric/packed-counts.ts';

/** The sums of a shard as stored: counts packed by class, and of each of these classes the two doubles of its exact sum, in base64. */
export const StoredLabelSums = z.object({ records: z.string(), scores: z.base64() });
export type StoredLabelSums = z.infer<typeof StoredLabelSums>;

/** Threshold of a class that labels no record: no probability reaches it. */
const NEVER = 2;
/** cleanlab's smallest threshold, twice its tolerance, so that a probability of 0 never reaches one. */
const SMALLEST = 2e-6;

interface ClassSum {
  records: number;
  readonly score: ExactSum;
}

/**
 * Sums of the probabilities that a model gives to the labels of records, by label. They merge in any order, and take memory only for the
 * classes that occur. A class is the index of its score.
 */
export class LabelSums {
  readonly #classes = new Map<number, ClassSum>();

  /** Adds one record by its label and the probability of this label. */
  add(label: number, score: number): void {
    const sum = this.#sumOf(label);
    sum.records++;
    addTo(sum.score, score);
  }

  merge(stored: StoredLabelSums): void {
    const bytes = Uint8Array.from(Buffer.from(stored.scores, 'base64'));
    const scores = new Float64Array(bytes.buffer);
    let at = 0;
    unpackCounts(stored.records, (label, records) => {
      const sum = this.#sumOf(label);
      sum.records += records;
      mergeSum(sum.score, { high: scores[at++] ?? 0, low: scores[at++] ?? 0 });
    });
  }

  store(): StoredLabelSums {
    const packer = new CountPacker();
    const scores: number[] = [];
    for (const [label, { records, score }] of [...this.#classes].sort(([a], [b]) => a - b)) {
      packer.add(label, records);
      scores.push(score.high, score.low);
    }
    const bytes = Buffer.from(Float64Array.from(scores).buffer);
    return { records: packer.finish(), scores: bytes.toString('base64') };
  }

  /**
   * The confidence from which on a model means a class: the mean probability of the class over the records that it labels
   * (Northcutt, Jiang, Chuang 2021, Confident Learning, arXiv 1911.00068, equation 2), with cleanlab's bounds.
   */
  thresholds(classes: number): Float64Array {
    return Float64Array.from({ length: classes }, (_, label) => {
      const sum = this.#classes.get(label);
      return sum === undefined ? NEVER : Math.max(SMALLEST, sum.score.high / sum.records);
    });
  }

  #sumOf(label: number): ClassSum {
    const known = this.#classes.get(label);
    if (known !== undefined) return known;
    const fresh = { records: 0, score: exactSum() };
    this.#classes.set(label, fresh);
    return fresh;
  }
}
