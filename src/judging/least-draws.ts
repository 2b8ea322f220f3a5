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
