/** Edges from numbered nodes to others; each node's edges stay in order of arrival. */
export class Edges {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #to: number[] = [];
  readonly #next: number[] = [];

  constructor(nodes: number) {
    this.#first = new Int32Array(nodes).fill(-1);
    this.#last = new Int32Array(nodes).fill(-1);
  }

  /** Adds an edge, unless it's the one that was added to this node last; gives whether it's new. */
  add(from: number, to: number): boolean {
    const last = this.#last[from] ?? -1;
    if (last >= 0 && this.#to[last] === to) return false;
    const edge = this.#to.push(to) - 1;
    this.#next.push(-1);
    if (last < 0) this.#first[from] = edge;
    else this.#next[last] = edge;
    this.#last[from] = edge;
    return true;
  }

  forEach(from: number, visit: (to: number) => void): void {
    for (let edge = this.#first[from] ?? -1; edge >= 0; edge = this.#next[edge] ?? -1)
      visit(this.#to[edge] ?? -1);
  }
}
