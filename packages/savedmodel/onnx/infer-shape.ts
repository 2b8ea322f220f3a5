import type { GraphNode } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { OPERATIONS } from './families.ts';
import { KnownInputs, type KnownTensors } from './known-tensors.ts';

/**
 * Shapes of a node's outputs as far as the graph determines them: null for an unknown rank, -1 for an unknown size. Mismatches
 * are not errors here; they are found when the graph runs.
 */
export function inferShapes(node: GraphNode, known: KnownTensors): readonly Shape[] {
  if (node.value !== undefined) return [node.value.shape];
  const inferred = OPERATIONS.get(node.op)?.[1](new KnownInputs(node, known)) ?? null;
  return isList(inferred) ? inferred : [inferred];
}

function isList(inferred: Shape | readonly Shape[]): inferred is readonly Shape[] {
  return inferred !== null && inferred.some((item) => typeof item !== 'number');
}
