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

/** A size that is not known. */
export const OPEN = -1;

/** A node and the facts that are known of its inputs; an index below 0 counts from the last one. */
export class KnownInputs {
  readonly node: GraphNode;
  readonly #known: KnownTensors;

  constructor(node: GraphNode, known: KnownTensors) {
    this.node = node;
    this.#known = known;
  }

  /** The shapes of all inputs. */
  shapes(): readonly Shape[] {
    return this.node.inputs.map((ref) => this.#known.shape(ref));
  }

  /** The shape of an input. */
  shape(index: number): Shape {
    const ref = this.node.inputs.at(index);
    return ref === undefined ? null : this.#known.shape(ref);
  }

  /** Elements of an input, if it is a constant. */
  numbers(index: number): readonly number[] | null {
    const ref = this.node.inputs.at(index);
    return ref === undefined ? null : this.#known.numbers(ref);
  }

  /** The first element of an input, if it is a constant. */
  number(index: number): number | undefined {
    return this.numbers(index)?.[0];
  }

  /** Elements of an input, as far as they are known. */
  sizes(index: number): readonly number[] | null {
    const ref = this.node.inputs.at(index);
    return ref === undefined ? null : this.#known.sizes(ref);
  }
}

/** Rule for the shapes of a node's outputs, or of its only one. */
export type ShapeRule = (known: KnownInputs) => Shape | readonly Shape[];

/** Rule for operations with a result that has the shape of an input. */
export const shapeLike =
  (index: number): ShapeRule =>
  (known) =>
    known.shape(index);

/** Rule for operations with a scalar result. */
export const scalarShape: ShapeRule = () => [];

/** Rule for operations without an output, or with a converter that sets the shape. */
export const setByConverter: ShapeRule = () => null;

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
export const broadcastShape: ShapeRule = (known) =>
  known.node.inputs.length === 0 ? null : broadcast(known.shapes());

/** An axis counted from the front. */
export function fromFront(axis: number, shape: readonly unknown[]): number {
  return axis < 0 ? axis + shape.length : axis;
}

/** How many elements a shape has; {@link OPEN} if a size is. */
export function countOf(shape: readonly number[]): number {
  return shape.some((size) => size < 0) ? OPEN : shape.reduce((total, size) => total * size, 1);
}
