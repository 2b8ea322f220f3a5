import type { FunctionDef, GraphDef } from './graph-def.ts';
import type { Nodes } from './graph-functions.ts';
import { structureBranches } from './structured-branches.ts';
import { structureLoops } from './structured-loops.ts';
import { listsForArrays } from './tensor-arrays.ts';

const CONTROL_FLOW: ReadonlySet<string> = new Set(['Enter', 'RefEnter', 'Merge', 'Switch', 'TensorArrayV3']);

/** Whether a node is one of TensorFlow 1's control flow, or of its arrays of tensors. */
export function isUnstructured({ op }: { readonly op: string }): boolean {
  return CONTROL_FLOW.has(op);
}

/** A graph with the loops, branches and arrays of TensorFlow 1 turned into TensorFlow 2's `While`, `If` and lists. */
export function structureControlFlow({ nodes, functions }: GraphDef): GraphDef {
  const all = new Map<string, FunctionDef>(functions);
  const byName: Nodes = new Map(listsForArrays(nodes).map((node) => [node.name, node]));
  structureLoops(byName, all);
  structureBranches(byName, all);
  return { nodes: [...byName.values()], functions: all };
}
