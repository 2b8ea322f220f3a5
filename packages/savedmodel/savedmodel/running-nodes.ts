import type { FlatGraph } from './flatten-functions.ts';
import type { GraphNode, TensorRef } from './graph-node.ts';

/**
 * The nodes that TensorFlow runs for some outputs: those behind them, by tensors and by control inputs, and nodes of called
 * functions that run only for their effect.
 *
 * @param fed names of nodes with values from the caller
 * @param calls names of the graph's nodes that call functions; the functions' bodies replaced them
 */
export function runningNodes(
  { nodes }: FlatGraph,
  outputs: readonly TensorRef[],
  fed: ReadonlySet<string>,
  calls: ReadonlySet<string>,
): readonly GraphNode[] {
  const running = new Set<string>();
  const called = new Set<string>();
  const open = outputs.map(({ node }) => node);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (running.has(name)) continue;
    running.add(name);
    const call = calledBy(name);
    if (calls.has(call) && !called.has(call)) {
      called.add(call);
      for (const inner of nodes.keys()) if (calledBy(inner) === call) open.push(inner);
    }
    const node = nodes.get(name);
    if (node === undefined || fed.has(name)) continue;
    open.push(...node.inputs.map((ref) => ref.node), ...(node.controls ?? []));
  }
  return [...nodes.values()].filter(({ name }) => running.has(name));
}

/** The node of the outermost graph that called the function with this node. */
export function calledBy(name: string): string {
  const end = name.indexOf('/');
  return end < 0 ? name : name.slice(0, end);
}
