import * as z from 'zod';
import { ClusterSums, StoredClusters } from '../judging/cluster-sums.ts';
import { drawOf } from '../judging/draw.ts';
import { compareByteOrder } from '../text/byte-order.ts';

/** Cap on the values of a dimension, next to those that the gate names. */
export const MAX_VALUES = 1_000;

/** Number of the records without a value among the parts that are counted by cluster. */
export const NONE = 0;
/** Number of the records of values that were given up. */
export const OTHER = 1;
/** Number of the first value; the others follow. */
export const FIRST_VALUE = 2;

const Count = z.int().nonnegative();
const Sums = z.object({ right: Count, count: Count, missed: Count });
type Sums = z.infer<typeof Sums>;

/**
 * A dimension's tally as stored, its values in byte order: each with its right answers, its answers, and its labeled
 * records without one.
 */
const StoredDimension = z.object({
  values: z.array(z.tuple([z.string(), Count, Count, Count])),
  none: Sums,
  other: Sums,
  /** Sums by cluster of `NONE`, `OTHER`, and the values from `FIRST_VALUE` on; absent if the gate bounds no clustered slices. */
  clusters: StoredClusters.optional(),
});
/** The tallies of all dimensions, in the order of the plan. */
export const StoredSlices = z.array(StoredDimension);
export type StoredSlices = z.infer<typeof StoredSlices>;

interface Kept extends Sums {
  /** Its part of the sums by cluster. */
  readonly part: number;
  /** Undefined until lots decide, which they do where values are many. */
  draw: number | undefined;
}

/**
 * Right answers by the values of one dimension. It holds the values that are named and, of the others, the 1,000 with the smallest lots
 * (`drawOf`); the rest is summed. A value that a part gave up has 1,000 smaller ones in the whole too, so tallies merge in any order and
 * grouping to the same.
 */
export class DimensionTally {
  readonly #named: ReadonlySet<string>;
  readonly #draw: (value: string) => number;
  readonly #values = new Map<string, Kept>();
  readonly #none = { right: 0, count: 0, missed: 0, part: NONE };
  readonly #other = { right: 0, count: 0, missed: 0, part: OTHER };
  /** Undefined if records aren't counted by cluster. */
  readonly #clusters: ClusterSums | undefined;
  #parts = FIRST_VALUE;
  /** Lots from here on are given up. */
  #limit = Infinity;

  constructor(dimension: string, named: Iterable<string> = [], isClustered = false) {
    this.#named = new Set(named);
    this.#clusters = isClustered ? new ClusterSums() : undefined;
    this.#draw = drawOf(dimension);
  }

  /** Adds a labeled record. @param value null without a value @param isRight undefined without an answer @param cluster its bucket */
  add(value: string | null, isRight: boolean | undefined, cluster = 0): void {
    const sums = value === null ? this.#none : this.#sumsOf(value);
    if (isRight === undefined) sums.missed++;
    else sums.count++;
    if (isRight) sums.right++;
    this.#clusters?.add(cluster, isRight === true, sums.part);
  }

  merge({ values, none, other, clusters }: z.infer<typeof StoredDimension>): void {
    for (const [value, right, count, missed] of values) addTo(this.#sumsOf(value), { right, count, missed });
    addTo(this.#none, none);
    addTo(this.#other, other);
    if (clusters === undefined) return;
    const parts = values.map(([value]) => this.#values.get(value)?.part ?? OTHER);
    this.#clusters?.merge(clusters, (part) =>
      part < FIRST_VALUE ? part : (parts[part - FIRST_VALUE] ?? OTHER),
    );
  }

  store(): z.infer<typeof StoredDimension> {
    this.#giveUp();
    return this.storePart();
  }

  /** The tally of a part, which may have more values than the whole: their lots are then drawn once. */
  storePart(): z.infer<typeof StoredDimension> {
    const sorted = [...this.#values].sort(([a], [b]) => compareByteOrder(a, b));
    const values = sorted.map(([value, { right, count, missed }]): [string, number, number, number] => [
      value,
      right,
      count,
      missed,
    ]);
    const clusters = this.#storeClusters(sorted.map(([, { part }]) => part));
    return {
      values,
      none: sumsOnly(this.#none),
      other: sumsOnly(this.#other),
      ...(clusters && { clusters }),
    };
  }

  /** The sums by cluster, with the parts of the values in the order given. */
  #storeClusters(parts: readonly number[]): StoredClusters | undefined {
    const places = new Map(parts.map((part, at) => [part, FIRST_VALUE + at]));
    return this.#clusters?.store((part) => places.get(part) ?? part);
  }

  #sumsOf(value: string): Sums & { readonly part: number } {
    const known = this.#values.get(value);
    if (known !== undefined) return known;
    const draw = this.#limit === Infinity ? undefined : this.#lotOf(value);
    if (draw !== undefined && draw >= this.#limit) return this.#other;
    const fresh = { right: 0, count: 0, missed: 0, draw, part: this.#parts++ };
    this.#values.set(value, fresh);
    // Twice as many may wait, so that each is sorted a few times and not at every new value.
    if (this.#values.size > 2 * MAX_VALUES + this.#named.size) this.#giveUp();
    return this.#values.get(value) ?? this.#other;
  }

  #lotOf(value: string): number {
    return this.#named.has(value) ? -1 : this.#draw(value);
  }

  #giveUp(): void {
    if (this.#values.size <= MAX_VALUES) return;
    const drawn = [...this.#values]
      .map(([value, sums]) => ({ value, sums, draw: (sums.draw ??= this.#lotOf(value)) }))
      .filter(({ draw }) => draw >= 0)
      .sort((a, b) => a.draw - b.draw);
    const [first] = drawn.slice(MAX_VALUES);
    if (first === undefined) return;
    this.#limit = first.draw;
    for (const { value, sums } of drawn.slice(MAX_VALUES)) {
      addTo(this.#other, sums);
      this.#clusters?.move(sums.part, OTHER);
      this.#values.delete(value);
    }
  }
}

/** The tallies of all dimensions of a run. */
export class SliceTally {
  readonly #dimensions: readonly DimensionTally[];

  /** @param named values that are kept whatever their lot, by dimension @param isClustered whether records are also counted by cluster */
  constructor(
    dimensions: readonly string[],
    named: ReadonlyMap<string, Iterable<string>>,
    isClustered = false,
  ) {
    this.#dimensions = dimensions.map((name) => new DimensionTally(name, named.get(name), isClustered));
  }

  /**
   * Adds a labeled record.
   *
   * @param values in the order of the dimensions
   * @param isRight undefined if it has no answer
   * @param cluster its bucket; ignored if records aren't counted by cluster
   */
  add(values: readonly (string | null)[], isRight: boolean | undefined, cluster?: number): void {
    for (const [at, tally] of this.#dimensions.entries()) tally.add(values[at] ?? null, isRight, cluster);
  }

  merge(stored: StoredSlices): void {
    for (const [at, tally] of this.#dimensions.entries()) {
      const part = stored[at];
      if (part === undefined)
        throw new RangeError(`a shard must have ${this.#dimensions.length} dimensions, has ${stored.length}`);
      tally.merge(part);
    }
  }

  store(): StoredSlices {
    return this.#dimensions.map((tally) => tally.store());
  }

  storePart(): StoredSlices {
    return this.#dimensions.map((tally) => tally.storePart());
  }
}

function addTo(sums: Sums, { right, count, missed }: Sums): void {
  sums.right += right;
  sums.count += count;
  sums.missed += missed;
}

function sumsOnly({ right, count, missed }: Sums): Sums {
  return { right, count, missed };
}
