import * as z from 'zod';
import { count, mergePacked, packSparse, type SparseCounts } from '../metric/sparse-counts.ts';
import { ClusterSums, StoredClusters } from './cluster-sums.ts';
import type { RightOf } from './right-of.ts';

const TOTALS = ['setAside', 'copies', 'answered', 'unanswered', 'uncounted'] as const;
const BY_CLASS = ['right', 'wrong', 'missed', 'pairs', 'wrongPairs'] as const;

const Count = z.int().nonnegative();

/** A ledger as stored. Counts by class are packed, see `CountPacker`. */
export const StoredLedger = z.object({
  /** Absent if the run has no clusters. */
  clusters: StoredClusters.optional(),
  totals: z.record(z.enum(TOTALS), Count),
  byClass: z.record(z.enum(BY_CLASS), z.string()),
});
export type StoredLedger = z.infer<typeof StoredLedger>;

/** The parts of a run's records; each is a part of the one before it. */
interface Funnel {
  /** Records that the model had to answer. */
  readonly asked: number;
  /** The ones that are no copies. */
  readonly distinct: number;
  /** Distinct records with a label, answered or not. */
  readonly labeled: number;
  /** Labeled records with a usable answer. */
  readonly answered: number;
  /** Right answers. */
  readonly right: number;
}

/**
 * Counts of a run's records, or of a part of them, by outcome, as sums that merge in any order. Each record is counted once, by the
 * first of these that holds: it was trained on, its file is a copy of another one, it has a label (then by its true class), it has
 * no label.
 */
export class Ledger implements Funnel {
  /** `answered` and `unanswered` have no label; of `uncounted` files that were lost nobody knows the number of records. */
  readonly totals = { setAside: 0, copies: 0, answered: 0, unanswered: 0, uncounted: 0 };
  /**
   * Labeled records by class: with a right answer, with a wrong one, and without one; and answered neighbors by name with the same
   * class, and pairs of them that are both wrong.
   */
  readonly byClass: Readonly<Record<(typeof BY_CLASS)[number], SparseCounts>> = {
    right: new Map(),
    wrong: new Map(),
    missed: new Map(),
    pairs: new Map(),
    wrongPairs: new Map(),
  };

  readonly clusters = new ClusterSums();
  readonly #clustersOf: { readonly classes: boolean } | undefined;
  #before = { truth: -1, isRight: true };
  #leftOut: 'setAside' | 'copies' | undefined;

  /** @param clustersOf undefined if each record is independent; with `classes` they are also counted by class */
  constructor(clustersOf?: { readonly classes: boolean }) {
    this.#clustersOf = clustersOf;
  }

  /** Begins an input. @param leftOut why its records don't count */
  begin(leftOut: 'setAside' | 'copies' | undefined): void {
    this.#leftOut = leftOut;
  }

  /**
   * Adds a record with a usable answer.
   *
   * @param truth undefined if it has no label
   * @param isRight whether the answer is right; ignored without a label
   * @param cluster its bucket; ignored if the run has no clusters
   */
  addAnswered(truth: number | undefined, isRight: boolean, cluster = 0): void {
    if (truth === undefined || this.#leftOut !== undefined) {
      this.totals[this.#leftOut ?? 'answered']++;
      return;
    }
    const { right, wrong, pairs, wrongPairs } = this.byClass;
    count(isRight ? right : wrong, truth);
    this.#addClustered(cluster, isRight, truth);
    const before = this.#before;
    if (before.truth === truth) {
      count(pairs, truth);
      if (!isRight && !before.isRight) count(wrongPairs, truth);
    }
    this.#before = { truth, isRight };
  }

  /**
   * Adds a record without a usable answer.
   *
   * @param truth `uncounted` for a file with an unknown number of records
   */
  addUnanswered(truth: number | 'uncounted' | undefined, cluster = 0): void {
    if (typeof truth === 'number' && this.#leftOut === undefined) count(this.byClass.missed, truth);
    else this.totals[this.#leftOut ?? (truth === 'uncounted' ? truth : 'unanswered')]++;
    if (truth === undefined || truth === 'uncounted' || this.#leftOut !== undefined) return;
    this.#addClustered(cluster, false, truth);
  }

  #addClustered(cluster: number, isRight: boolean, truth: number): void {
    if (this.#clustersOf === undefined) return;
    this.clusters.add(cluster, isRight);
    if (this.#clustersOf.classes) this.clusters.add(cluster, isRight, truth);
  }

  /** Right answers of the labeled records of each class. */
  classes(): (RightOf & { readonly id: number })[] {
    const { right, wrong, missed } = this.byClass;
    const ids = new Set([...right.keys(), ...wrong.keys(), ...missed.keys()]);
    return [...ids]
      .sort((a, b) => a - b)
      .map((id) => {
        const own = right.get(id) ?? 0;
        return { id, right: own, count: own + (wrong.get(id) ?? 0) + (missed.get(id) ?? 0) };
      });
  }

  get right(): number {
    return sum(this.byClass.right);
  }

  get answered(): number {
    return this.right + sum(this.byClass.wrong);
  }

  get labeled(): number {
    return this.answered + sum(this.byClass.missed);
  }

  get distinct(): number {
    return this.labeled + this.totals.answered + this.totals.unanswered;
  }

  get asked(): number {
    return this.distinct + this.totals.copies;
  }

  store(): StoredLedger {
    const { right, wrong, missed, pairs, wrongPairs } = this.byClass;
    return {
      ...(this.#clustersOf && { clusters: this.clusters.store() }),
      totals: { ...this.totals },
      byClass: {
        right: packSparse(right),
        wrong: packSparse(wrong),
        missed: packSparse(missed),
        pairs: packSparse(pairs),
        wrongPairs: packSparse(wrongPairs),
      },
    };
  }

  /** @param toId the id here of a class of the stored ledger */
  merge({ totals, byClass, clusters }: StoredLedger, toId: (id: number) => number): void {
    if (clusters !== undefined) this.clusters.merge(clusters, toId);
    for (const name of TOTALS) this.totals[name] += totals[name];
    for (const name of BY_CLASS) mergePacked(this.byClass[name], byClass[name], toId);
  }
}

function sum(counts: SparseCounts): number {
  return counts.values().reduce((total, times) => total + times, 0);
}
