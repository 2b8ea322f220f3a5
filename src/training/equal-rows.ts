import { binomialTail } from '../metric/exact-bound.ts';

/** Cap on contents of the training that are counted, about 250 MB; beyond it the test takes a random part of all contents. */
const MAX_COUNTED = 4_000_000;
/** Digits of a digest that choose the contents of the test; a number holds them exactly. */
const DIGITS = 13;
const SIGNIFICANCE = 0.05;
/** Contents that either way of drawing almost surely has on both sides tell nothing. */
const MAX_CHANCE = 0.8;

/** Rows of an evaluation that equal a row of a training. */
export interface EqualRows {
  /** Whether there are more than two tables drawn apart would share, so that rows were copied. */
  readonly areCopies: boolean;
  /** Rows of the evaluation that equal one of the training. */
  readonly equal: number;
  /** Rows of the evaluation that equal another one of it. */
  readonly repeated: number;
  /** Rows of the training. */
  readonly trained: number;
  /** Contents that both have. */
  readonly contents: ReadonlySet<string>;
}

/**
 * Finds the rows that two tables share, and judges whether that's chance, as it is for coarse columns: if all rows of both were
 * drawn independently, each could lie on either side. So among the contents that occur at least twice in both together, it counts
 * the ones on both sides, and compares that with their chances under a random split. By Hoeffding's theorem (1956, Annals of
 * Mathematical Statistics 27:713) the binomial tail of the mean chance bounds the tail of unlike chances.
 *
 * @param judged how often each content occurs in the evaluation, by its digest in hexadecimal
 */
export class RowComparison {
  readonly #judged: ReadonlyMap<string, number>;
  readonly #shared = new Map<string, number>();
  /** Contents of the training that the evaluation doesn't have, by the digits of their digests. */
  readonly #others = new Map<number, number>();
  readonly #most: number;
  #below = 16 ** DIGITS;
  #trained = 0;

  constructor(judged: ReadonlyMap<string, number>, most = MAX_COUNTED) {
    this.#judged = judged;
    this.#most = most;
  }

  /** Takes a row of the training. */
  add(content: string): void {
    this.#trained += 1;
    if (this.#judged.has(content)) {
      this.#shared.set(content, (this.#shared.get(content) ?? 0) + 1);
      return;
    }
    const place = placeOf(content);
    if (place >= this.#below) return;
    this.#others.set(place, (this.#others.get(place) ?? 0) + 1);
    if (this.#others.size <= this.#most) return;
    this.#below /= 2;
    for (const other of this.#others.keys()) if (other >= this.#below) this.#others.delete(other);
  }

  finish(): EqualRows {
    let equal = 0;
    let repeated = 0;
    let all = 0;
    for (const [content, count] of this.#judged) {
      all += count;
      if (count > 1) repeated += count;
      if (this.#shared.has(content)) equal += count;
    }
    const [trained, contents] = [this.#trained, new Set(this.#shared.keys())];
    return { areCopies: this.#areCopies(all), equal, repeated, trained, contents };
  }

  #areCopies(judged: number): boolean {
    const chances: number[] = [];
    const chanceOf = (count: number): number =>
      (chances[count] ??= chanceOfBoth(count, judged, this.#trained));
    let [both, among, sum] = [0, 0, 0];
    const take = (count: number, isBoth: boolean): void => {
      const chance = count < 2 ? 1 : chanceOf(count);
      if (chance > MAX_CHANCE) return;
      among += 1;
      sum += chance;
      if (isBoth) both += 1;
    };
    for (const [content, count] of this.#judged)
      if (placeOf(content) < this.#below) {
        const trained = this.#shared.get(content) ?? 0;
        take(count + trained, trained > 0);
      }
    for (const count of this.#others.values()) take(count, false);
    return among > 0 && binomialTail(both, among, sum / among) <= SIGNIFICANCE;
  }
}

function placeOf(content: string): number {
  return Number.parseInt(content.slice(0, DIGITS), 16);
}

/** Chance that equal rows lie on both sides of a random split. */
function chanceOfBoth(count: number, judged: number, trained: number): number {
  let [allJudged, allTrained] = [1, 1];
  for (let at = 0; at < count && allJudged + allTrained > 0; at++) {
    const left = judged + trained - at;
    allJudged *= Math.max(0, judged - at) / left;
    allTrained *= Math.max(0, trained - at) / left;
  }
  return 1 - allJudged - allTrained;
}
