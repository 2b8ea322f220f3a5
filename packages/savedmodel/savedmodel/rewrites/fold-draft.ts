import { foldNode } from '../../host/constants.ts';
import { type HostTensor, hostTensorOf } from '../../host/host-tensor.ts';
import type { TensorRef } from '../graph-node.ts';
import type { Shape } from '../tensor-proto.ts';
import { type Draft, finishedNode, isApart } from './draft.ts';

/** The nodes around, as folding asks of them. */
interface Surroundings {
  readonly isKept: (node: Draft) => boolean;
  readonly shape: (ref: TensorRef | undefined) => Shape;
  readonly valueOf: (ref: TensorRef | undefined) => HostTensor | undefined;
}

const SIZES: ReadonlySet<string> = new Set(['Shape', 'Size', 'Rank']);
const MAX_FOLDED_BYTES = 10 * 2 ** 20;
const INT64 = 9;

/** The node's value if it depends only on constants, or is a shape that is known. */
export function constantOf(node: Draft, graph: Surroundings): HostTensor | undefined {
  return node.isCompiled ? undefined : (shapeValue(node, graph) ?? computed(node, graph));
}

function shapeValue(node: Draft, graph: Surroundings): HostTensor | undefined {
  if (!SIZES.has(node.op) || graph.isKept(node)) return undefined;
  const shape = graph.shape(node.inputs[0]);
  if (shape === null) return undefined;
  if (node.op === 'Rank') return hostTensorOf('int32', [], [shape.length]);
  if (shape.some((size) => size < 0)) return undefined;
  const dtype = node.attributes.get('out_type')?.type === INT64 ? 'int64' : 'int32';
  return node.op === 'Shape'
    ? hostTensorOf(dtype, [shape.length], shape)
    : hostTensorOf(dtype, [], [shape.reduce((count, size) => count * size, 1)]);
}

function computed(node: Draft, graph: Surroundings): HostTensor | undefined {
  const inputs: HostTensor[] = [];
  for (const input of node.inputs) {
    const value = graph.valueOf(input);
    if (value === undefined) return undefined;
    inputs.push(value);
  }
  if (isApart(node) || graph.isKept(node)) return undefined;
  const value = inputs.length === 0 ? undefined : foldNode(finishedNode(node), inputs);
  const largest = Math.max(MAX_FOLDED_BYTES, ...inputs.map(({ data }) => data.byteLength));
  return value !== undefined && value.data.byteLength <= largest ? value : undefined;
}
