import type { FlatGraph } from './flatten-functions.ts';
import type { GraphNode, TensorRef } from './graph-node.ts';
import { calledBy } from './running-nodes.ts';

/**
 * The nodes of the functions that the outputs of a signature are results of, those that run for their effect alone among them.
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
