import type { GraphNode } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { type Infer, input, type KnownTensors, named, OPEN } from './known-tensors.ts';

/** The node's statement on its elements' shape: a vector of sizes, or -1 for any rank. */
export function elementShape(node: GraphNode, index: number, known: KnownTensors): Shape {
  const ref = node.inputs[index];
  return ref === undefined || known.shape(ref)?.length !== 1 ? null : known.sizes(ref);
}

/** Shapes of the elements, from list and node together. */
function elements(node: GraphNode, index: number, known: KnownTensors): Shape {
  const own = input(node, 0, known)?.slice(1) ?? null;
  const said = elementShape(node, index, known);
  if (own?.length !== said?.length) return own ?? said;
  return own === null ? said : own.map((size, axis) => (size < 0 ? (said?.[axis] ?? OPEN) : size));
}

const listOf = (count: number | undefined, element: Shape): Shape => element && [count ?? OPEN, ...element];

const reserved: Infer = (node, known) => {
  const count = node.inputs[1] && known.numbers(node.inputs[1])?.[0];
  return listOf(count, elementShape(node, 0, known));
};

/** Shapes of lists, which are tensors whose first axis is the list, and of what is taken from them. */
export const LIST_SHAPES = [
  ...named('TensorListFromTensor', (node, known) => input(node, 0, known)),
  ...named('TensorListReserve', reserved),
  ...named('EmptyTensorList', (node, known) => listOf(OPEN, elementShape(node, 0, known))),
  ...named('TensorListSetItem', (node, known) => listOf(input(node, 0, known)?.[0], input(node, 2, known))),
  ...named('TensorListPushBack', (node, known) => listOf(OPEN, input(node, 1, known))),
  ...named('TensorListGetItem', (node, known) => elements(node, 2, known)),
  ...named('TensorListGather', (node, known) => listOf(input(node, 1, known)?.[0], elements(node, 2, known))),
  ...named('TensorListStack', (node, known) => listOf(input(node, 0, known)?.[0], elements(node, 1, known))),
  ...named('TensorListLength', () => []),
];
