import type { FlatGraph } from './flatten-functions.ts';
import type { GraphNode, TensorRef } from './graph-node.ts';
import { calledBy } from './running-nodes.ts';

/**
 * The nodes of the functions behind a signature's outputs, including those that run only for their effect.
 *
 * @param calls names of the graph's nodes that call functions
 */
export function calledNodes(
  graph: FlatGraph,
  outputs: readonly TensorRef[],
  calls: ReadonlySet<string>,
): readonly GraphNode[] {
  const called = new Set(outputs.map(({ node }) => calledBy(node)).filter((name) => calls.has(name)));
  if (called.size === 0) return [];
  return [...graph.nodes.values()].filter(({ name }) => called.has(calledBy(name)));
}
