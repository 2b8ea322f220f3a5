import type { FunctionDef, NodeDef } from './graph-def.ts';

/** Whether one of the nodes asserts something, or calls a function that does, as the branches of `tf.debugging` do. */
export function hasAssertion(
  nodes: readonly Pick<NodeDef, 'op' | 'attributes'>[],
  functions: ReadonlyMap<string, FunctionDef>,
  seen = new Set<string>(),
): boolean {
  return nodes.some(({ op, attributes }) => {
    if (op === 'Assert') return true;
    const names = [...attributes.values()].flatMap(({ functionName }) => functionName ?? []);
    return names.some((name) => {
      if (seen.has(name)) return false;
      seen.add(name);
      return hasAssertion(functions.get(name)?.nodes ?? [], functions, seen);
    });
  });
}
