import type { TensorRef } from '../graph-node.ts';
import { type Draft, NOWHERE } from './draft.ts';

/** Edges from numbered nodes to others; each node's edges stay in order of arrival. */
class Edges {
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

type Find = (name: string) => Draft | undefined;

/** All nodes that results need, from the farthest to the results. */
export function fromResults(results: readonly TensorRef[], nodeOf: Find): Draft[] {
  const found = new Set<Draft>();
  const find = (name: string) => {
    const node = nodeOf(name);
    if (node !== undefined) found.add(node);
  };
  for (const { node } of results) find(node);
  for (const node of found) forEachName(node, find);
  return [...found].reverse();
}

/** Nodes in the order in which what they take is there; each knows its place. */
export function byReadiness(nodes: readonly Draft[], nodeOf: Find): Draft[] {
  for (const [place, node] of nodes.entries()) node.place = place;
  const users = new Edges(nodes.length);
  const open = new Uint32Array(nodes.length);
  for (const [place, node] of nodes.entries())
    forEachName(node, (name) => {
      const from = nodeOf(name)?.place ?? NOWHERE;
      if (from < nodes.length && users.add(from, place)) open[place] = (open[place] ?? 0) + 1;
    });
  const ready = [...open.keys()].filter((place) => open[place] === 0);
  for (const place of ready)
    users.forEach(place, (user) => {
      open[user] = (open[user] ?? 0) - 1;
      if (open[user] === 0) ready.push(user);
    });
  const ordered = ready.flatMap((place) => nodes[place] ?? []);
  for (const [place, node] of ordered.entries()) node.place = place;
  return ordered;
}

/** Visits the names of the nodes that a node takes or waits for. */
function forEachName({ inputs, controls }: Draft, visit: (name: string) => void): void {
  for (const { node } of inputs) visit(node);
  for (const name of controls) visit(name);
}
