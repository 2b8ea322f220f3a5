import * as z from 'zod';
import { drawOf } from '../judging/draw.ts';
import { compareByteOrder } from '../text/byte-order.ts';

/** Cap on the values of a dimension, beside those that the gate names. */
export const MAX_VALUES = 1_000;

const Count = z.int().nonnegative();
const Sums = z.object({ right: Count, count: Count, missed: Count });
type Sums = z.infer<typeof Sums>;

/** A dimension's tally as stored, its values in byte order: each with its right answers, its answers, and its labelled records without one. */
const StoredDimension = z.object({
  values: z.array(z.tuple([z.string(), Count, Count, Count])),
  none: Sums,
  other: Sums,
});
/** The tallies of all dimensions, in the order of the plan. */
export const StoredSlices = z.array(StoredDimension);
export type StoredSlices = z.infer<typeof StoredSlices>;

interface Kept extends Sums {
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
  readonly #none: Sums = { right: 0, count: 0, missed: 0 };
  readonly #other: Sums = { right: 0, count: 0, missed: 0 };
  /** Lots from here on are given up. */
  #limit = Infinity;

  constructor(dimension: string, named: Iterable<string> = []) {
    this.#named = new Set(named);
    this.#draw = drawOf(dimension);
  }

  /** Adds a labelled record. @param value null if it has none @param isRight undefined if it has no answer */
  add(value: string | null, isRight: boolean | undefined): void {
    const sums = value === null ? this.#none : this.#sumsOf(value);
    if (isRight === undefined) sums.missed++;
    else sums.count++;
    if (isRight) sums.right++;
  }

  merge({ values, none, other }: z.infer<typeof StoredDimension>): void {
    for (const [value, right, count, missed] of values) addTo(this.#sumsOf(value), { right, count, missed });
    addTo(this.#none, none);
    addTo(this.#other, other);
  }

  store(): z.infer<typeof StoredDimension> {
    this.#giveUp();
    return this.storePart();
  }

  /** The tally of a part, which may have more values than the whole: their lots are then drawn once. */
  storePart(): z.infer<typeof StoredDimension> {
    const values = [...this.#values]
      .sort(([a], [b]) => compareByteOrder(a, b))
      .map(([value, { right, count, missed }]): [string, number, number, number] => [
        value,
        right,
        count,
        missed,
      ]);
    return { values, none: { ...this.#none }, other: { ...this.#other } };
  }

  #sumsOf(value: string): Sums {
    const known = this.#values.get(value);
    if (known !== undefined) return known;
    const draw = this.#limit === Infinity ? undefined : this.#lotOf(value);
    if (draw !== undefined && draw >= this.#limit) return this.#other;
    const fresh = { right: 0, count: 0, missed: 0, draw };
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
      this.#values.delete(value);
    }
  }
}

/** The tallies of all dimensions of a run. */
export class SliceTally {
  readonly #dimensions: readonly DimensionTally[];

  /** @param named values that are kept whatever their lot, by dimension */
  constructor(dimensions: readonly string[], named: ReadonlyMap<string, Iterable<string>>) {
    this.#dimensions = dimensions.map((name) => new DimensionTally(name, named.get(name)));
  }

  /** Adds a labelled record. @param values in the order of the dimensions @param isRight undefined if it has no answer */
  add(values: readonly (string | null)[], isRight: boolean | undefined): void {
    for (const [at, tally] of this.#dimensions.entries()) tally.add(values[at] ?? null, isRight);
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
