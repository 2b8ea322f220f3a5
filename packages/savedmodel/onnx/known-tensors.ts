import type { GraphNode, TensorRef } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';

/** Known facts of the tensors that go into a node. */
export interface KnownTensors {
  shape(ref: TensorRef): Shape;
  /** Elements of a constant; null for other tensors. */
  numbers(ref: TensorRef): readonly number[] | null;
  /** Elements of a tensor of sizes, -1 for those that are not known; null if not even their number is. */
  sizes(ref: TensorRef): readonly number[] | null;
}

/** Shapes of a node's outputs, or of its only one. */
export type Infer = (node: GraphNode, known: KnownTensors) => Shape | readonly Shape[];

/** A size that is not known. */
export const OPEN = -1;

/** The shape of input `index`. */
export function input(node: GraphNode, index: number, known: KnownTensors): Shape {
  const ref = node.inputs.at(index);
  return ref === undefined ? null : known.shape(ref);
}

/** Elements of input `index`, if it is a constant. */
export function numbers(node: GraphNode, index: number, known: KnownTensors): readonly number[] | null {
  const ref = node.inputs.at(index);
  return ref === undefined ? null : known.numbers(ref);
}

/** Elements of input `index`, as far as they are known. */
export function sizes(node: GraphNode, index: number, known: KnownTensors): readonly number[] | null {
  const ref = node.inputs.at(index);
  return ref === undefined ? null : known.sizes(ref);
}

/** The first element of input `index`, if it is a constant. */
export function number(node: GraphNode, index: number, known: KnownTensors): number | undefined {
  return numbers(node, index, known)?.[0];
}

/** The shape of an input. */
export const like =
  (index: number): Infer =>
  (node, known) =>
    input(node, index, known);

/** No axes. */
export const scalar: Infer = () => [];

/** NumPy's broadcasting; a size that is not known may turn out to be 1. */
export function broadcast(shapes: readonly Shape[]): Shape {
  return shapes.reduce((left, right) => {
    if (left === null || right === null) return null;
    const rank = Math.max(left.length, right.length);
    return Array.from({ length: rank }, (_, axis) => {
      const one = left[axis - rank + left.length] ?? 1;
      const other = right[axis - rank + right.length] ?? 1;
      if (one === 1 || other === 1) return one === 1 ? other : one;
      return one === OPEN ? other : one;
    });
  });
}

/** Shapes of operations that work element by element. */
export const broadcastAll: Infer = (node, known) =>
  node.inputs.length === 0 ? null : broadcast(node.inputs.map((ref) => known.shape(ref)));

/** An axis counted from the front. */
export function normal(axis: number, shape: readonly unknown[]): number {
  return axis < 0 ? axis + shape.length : axis;
}

/** Several operations with one rule. */
export const named = (names: string, infer: Infer) => names.split(' ').map((name) => [name, infer] as const);

/** How many elements a shape has; {@link OPEN} if a size is. */
export function countOf(shape: readonly number[]): number {
  return shape.some((size) => size < 0) ? OPEN : shape.reduce((total, size) => total * size, 1);
}
