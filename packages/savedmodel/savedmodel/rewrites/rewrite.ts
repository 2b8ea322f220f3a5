import type { Draft } from './draft.ts';
import type { DraftGraph } from './draft-graph.ts';

/** One of the rewrites by which TensorFlow's optimizer changes answers. */
export interface Rewrite {
  readonly name: string;
  /** Operations of the nodes that it is tried on. */
  readonly operations: ReadonlySet<string>;
  /** Rewrites the node if its conditions hold; gives the nodes that are to be looked at again, or undefined if they don't hold. */
  readonly apply: (node: Draft, graph: DraftGraph) => readonly Draft[] | undefined;
}

/** Names of operations out of a sentence. */
export function operations(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

/** Operations that only add. */
export const SUMS = operations('Add AddV2 AddN');

/** Whether the node is a constant with this value throughout. */
export function isAll(node: Draft | undefined, wanted: number): boolean {
  const { dtype, data } = node?.value ?? {};
  return data !== undefined && dtype !== 'bool' && data.length > 0 && data.every((value) => value === wanted);
}
