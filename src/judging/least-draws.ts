/** Draws of a stratum, or all that it has. */
const LEAST_DRAWS = 2;

/** The smallest of the added draws. Memory grows with how many are kept, not with how many are added. */
export class LeastDraws {
  readonly #count: number;
  /** A heap with the largest draw first. */
  readonly #heap: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** The largest of those kept: the draws up to it are the least. Below all draws where none is kept. */
  get bound(): number {
    return this.#heap[0] ?? -1;
  }

  add(draw: number): void {
    if (this.#heap.length < this.#count) this.#rise(draw);
    else if (draw < this.bound) this.#sink(draw);
  }

  #rise(draw: number): void {
    const heap = this.#heap;
    let place = heap.length;
    for (let above = (place - 1) >> 1; place > 0; place = above, above = (place - 1) >> 1) {
      const held = heap[above] ?? draw;
      if (held >= draw) break;
      heap[place] = held;
    }
    heap[place] = draw;
  }

  /** Puts a draw instead of the largest. */
  #sink(draw: number): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if ((heap[below + 1] ?? -1) > (heap[below] ?? -1)) below += 1;
      const held = heap[below];
      if (held === undefined || held <= draw) break;
      heap[place] = held;
      place = below;
    }
    heap[place] = draw;
  }
}

/** Draws of each stratum in proportion to its size (largest remainders), and at least two, or all of it. */
export function proportionalDraws(totals: readonly number[], draws: number): number[] {
  const all = totals.reduce((sum, total) => sum + total, 0);
  const exact = totals.map((total) =>
    Math.min(total, Math.max(Math.min(LEAST_DRAWS, total), (draws * total) / all)),
  );
  const whole = exact.map(Math.floor);
  let missing = draws - whole.reduce((sum, each) => sum + each, 0);
  const byRemainder = [...exact.entries()].sort(([a, x], [b, y]) => (y % 1) - (x % 1) || a - b);
  for (const [place, share] of byRemainder) {
    if (missing <= 0 || share % 1 === 0) break;
    whole[place] = (whole[place] ?? 0) + 1;
    missing--;
  }
  return whole;
}
