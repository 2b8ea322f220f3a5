import type { FlatGraph } from '../savedmodel/flatten-functions.ts';
import { attribute, type TensorRef } from '../savedmodel/graph-node.ts';
import { skipIdentities } from '../savedmodel/restored-variables.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';
import { readTensor } from '../savedmodel/tensor-proto.ts';
import { evaluate, isHostOperation } from './evaluate.ts';
import { fromHostTensor, isExactOnHost, toHostTensor } from './host-tensor.ts';

/** Few nodes lie between a table and what fills it; a circle would have no end. */
const MAX_DEPTH = 50;

/**
 * The value of a tensor that no request changes, computed here where the graph computes it.
 *
 * @param restored what a checkpoint holds under a reference, if it is one of a restore operation
 */
export function foldConstant(
  graph: FlatGraph,
  given: TensorRef,
  restored: (ref: TensorRef) => Tensor | undefined,
  depth = 0,
): Tensor | undefined {
  const ref = skipIdentities(graph, given);
  const node = graph.nodes.get(ref.node);
  if (node === undefined || depth > MAX_DEPTH) return undefined;
  if (node.op === 'Const') return readTensor(attribute(node, 'value').tensor ?? new Uint8Array(), node.name);
  const stored = restored(ref);
  if (stored !== undefined) return stored;
  if (node.inputs.length === 0 || !isHostOperation(node)) return undefined;
  const inputs = node.inputs.map((input) => foldConstant(graph, input, restored, depth + 1));
  const known = inputs.flatMap((input) => input ?? []);
  if (known.length < inputs.length) return undefined;
  if (known.some((input) => input.dtype === 'string' || input.dtype === 'float16' || !isExactOnHost(input)))
    return undefined;
  return fromHostTensor(evaluate(node, known.map(toHostTensor)));
}
