import type { TensorRef } from './graph-node.ts';

/**
 * Every node that the roots need, inputs before their users. A loop of TensorFlow 1, which is a cycle in the graph, is entered
 * once. Graphs are thousands of nodes deep, so the walk is iterative.
 *
 * @param visit returns the node of a name; names that it leaves out of `inputs` are not followed
 */
export function nodesInOrder<N extends { readonly inputs: readonly TensorRef[] }>(
  roots: readonly string[],
  visit: (name: string) => N,
): N[] {
  const order: N[] = [];
  const seen = new Set<string>();
  const stack: { node: N; next: number }[] = [];
  const enter = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    stack.push({ node: visit(name), next: 0 });
  };
  for (const root of roots) {
    enter(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const input = top.node.inputs[top.next++];
      if (input !== undefined) enter(input.node);
      else {
        order.push(top.node);
        stack.pop();
      }
    }
  }
  return order;
}
