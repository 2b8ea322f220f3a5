import { tensorName, type TensorRef } from '../graph-node.ts';
import type { Shape } from '../tensor-proto.ts';
import { outputOf } from './draft.ts';
import type { DraftGraph } from './draft-graph.ts';
import { operations } from './rewrite.ts';

/** TensorFlow tells an open size of their results from all others. */
const OWN_SIZES = operations(
  'MatMul Conv2D DepthwiseConv2dNative Conv3D Reshape EnsureShape Mean Sum Max Min',
);
const FED = operations('Placeholder _Arg');
const LIKE_FIRST = operations(
  'Acos Acosh Asin Asinh Atan Atanh Ceil Elu Erf Erfc Exp Expm1 Floor Log Log1p Relu Relu6 Rint Selu Sigmoid Sign Sinh Softsign Softplus ' +
    'Sqrt Rsqrt Tanh Neg Abs Cos Sin Square Reciprocal Inv Round IsNan LogicalNot Identity Softmax LogSoftmax BiasAdd LeakyRelu',
);
const BROADCASTING = operations('Add AddV2 AddN Sub Mul RealDiv Div Maximum Minimum Pow SquaredDifference');

/** Equal for tensors that must have one shape; undefined if TensorFlow doesn't know which tensor an open size belongs to. */
export function shapeKey(ref: TensorRef, graph: DraftGraph): string | undefined {
  const name = tensorName(ref);
  // Once in order, so that none is traced through the whole graph.
  if (graph.shapeKeys.size === 0)
    for (const node of graph.inOrder())
      graph.shapeKeys.set(tensorName(outputOf(node)), computedKey(outputOf(node), graph));
  if (!graph.shapeKeys.has(name)) graph.shapeKeys.set(name, computedKey(ref, graph));
  return graph.shapeKeys.get(name);
}

function computedKey(ref: TensorRef, graph: DraftGraph): string | undefined {
  const shape = graph.shape(ref);
  if (shape === null) return undefined;
  if (shape.every((size) => size >= 0)) return `[${shape.join()}]`;
  const node = graph.of(ref);
  if (node === undefined) return undefined;
  if (FED.has(node.op) || OWN_SIZES.has(node.op)) return tensorName(ref);
  const [first, second] = node.inputs;
  if (first === undefined) return undefined;
  if (LIKE_FIRST.has(node.op)) return shapeKey(first, graph);
  if (!BROADCASTING.has(node.op)) return undefined;
  const [key, ...others] = node.inputs.map((input) => shapeKey(input, graph));
  if (others.every((other) => other === key)) return key;
  if (second === undefined) return undefined;
  if (fitsInto(graph.shape(second), graph.shape(first))) return key;
  return fitsInto(graph.shape(first), graph.shape(second)) ? others[0] : undefined;
}

/** Whether an operation on both leaves the shape of `one` as it is. */
export function keepsShape(one: TensorRef, other: TensorRef, graph: DraftGraph): boolean {
  const [shape, otherShape] = [graph.shape(one), graph.shape(other)];
  if (shape === null || otherShape === null) return false;
  if (fitsInto(otherShape, shape)) return true;
  const key = shapeKey(one, graph);
  return key !== undefined && key === shapeKey(other, graph);
}

/** Whether a tensor surely has fewer elements than another. */
export function isSmaller(one: TensorRef, other: TensorRef, graph: DraftGraph): boolean {
  const [a, b] = [graph.shape(one), graph.shape(other)];
  if (a === null || b === null || a.some((size) => size < 0)) return false;
  return knownCount(a) < knownCount(b);
}

/**
 * Whether a constant may move next to a tensor: not if what is computed first would grow, for which TensorFlow compares
 * sizes from the first on.
 */
export function mayTradePlaces(constant: Shape, tensor: Shape): boolean {
  if (constant === null || tensor === null) return true;
  if (tensor.every((size) => size >= 0) && knownCount(constant) > knownCount(tensor)) return false;
  return !constant.some((size, axis) => size > (tensor[axis] ?? -1) && (tensor[axis] ?? -1) >= 0);
}

/** Elements as far as sizes are known. */
export function knownCount(shape: readonly number[]): number {
  return shape.reduce((count, size) => (size < 0 ? count : count * size), 1);
}

function fitsInto(shape: Shape, whole: Shape): boolean {
  if (shape === null || whole === null || shape.length > whole.length) return false;
  const start = whole.length - shape.length;
  return shape.every((size, axis) => size === 1 || (size >= 0 && size === whole[axis + start]));
}
