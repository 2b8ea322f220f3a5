import { Constants } from '../host/constants.ts';
import { normalAxis } from '../host/host-operation.ts';
import type { HostTensor } from '../host/host-tensor.ts';
import { type FrozenGraph, usersIn } from '../savedmodel/frozen-graph.ts';
import {
  type GraphNode,
  inputOf,
  intAttr,
  tensorName,
  type TensorRef,
  unsupported,
} from '../savedmodel/graph-node.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import type { KnownTensors } from './known-tensors.ts';

/** A graph, and what is given to it and wanted of it. */
export interface KnownScope {
  readonly graph: FrozenGraph;
  /** Shapes of the graph's inputs, by the tensor's name. */
  readonly inputShapes: ReadonlyMap<string, Shape>;
  /** Rules for the shapes of nodes' outputs; handed in, since converters ask the graph as well. */
  readonly inferShapes: (node: GraphNode, known: KnownTensors) => readonly Shape[];
  /** Tensors that are wanted of the graph. */
  readonly results: readonly TensorRef[];
}

/**
 * The graph's facts about its tensors before it runs: shapes, sizes, and the values of those that depend on no input, which are computed
 * here. Axes are in TensorFlow's order.
 */
export class KnownGraph implements KnownTensors {
  protected readonly graph: FrozenGraph;
  readonly #results: readonly TensorRef[];
  readonly #inputShapes: ReadonlyMap<string, Shape>;
  readonly #inferShapes: KnownScope['inferShapes'];
  readonly #shapes = new Map<string, Shape>();
  readonly #constants: Constants;
  #users: ReadonlyMap<string, GraphNode[]> | undefined;

  constructor({ graph, inputShapes, inferShapes, results }: KnownScope) {
    this.graph = graph;
    this.#inputShapes = inputShapes;
    this.#inferShapes = inferShapes;
    this.#results = results;
    this.#constants = new Constants({ nodeOf: (name) => graph.get(name), given: ({ value }) => value });
  }

  /** Indices of the node's outputs that something depends on. */
  usedOutputs(node: GraphNode): ReadonlySet<number> {
    const uses = this.usersOf(node).flatMap(({ inputs }) => inputs);
    const own = [...uses, ...this.#results].filter((ref) => ref.node === node.name);
    return new Set(own.map(({ index }) => index));
  }

  /** The nodes that take one of the node's outputs. */
  usersOf(node: GraphNode): GraphNode[] {
    this.#users ??= usersIn(this.graph);
    return this.#users.get(node.name) ?? [];
  }

  /** Whether a tensor of the node's is wanted of the graph. */
  isResult({ name }: GraphNode): boolean {
    return this.#results.some(({ node }) => node === name);
  }

  /** The node that a tensor comes from, behind those that only hand it on. */
  source(ref: TensorRef): { readonly node: GraphNode | undefined; readonly ref: TensorRef } {
    let current = ref;
    for (;;) {
      const node = this.graph.get(current.node);
      if (node?.op !== 'Identity') return { node, ref: current };
      current = inputOf(node, 0);
    }
  }

  /** Looks at all shapes in order, so that none is sought through the whole graph later. */
  inferAll(): this {
    for (const node of this.graph.keys()) this.shape({ node, index: 0 });
    return this;
  }

  /** Declares the shape of an output that only its converter knows. */
  setShape(node: GraphNode, shape: Shape, index = 0): void {
    this.#shapes.set(tensorName({ node: node.name, index }), shape);
  }

  /** The value of a tensor that does not depend on any input. */
  known(ref: TensorRef): Tensor | undefined {
    return this.#constants.tensor(ref);
  }

  /** The tensor's shape as far as the graph states it, in TensorFlow's order of axes: -1 for an open size, null for an open rank. */
  shape(ref: TensorRef): Shape {
    const key = tensorName(ref);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const declared = this.#inputShapes.get(key);
    const node = this.graph.get(ref.node);
    if (declared !== undefined || node === undefined) return declared ?? null;
    this.#inferShapes(node, this).forEach((shape, index) =>
      this.#shapes.set(tensorName({ node: ref.node, index }), shape),
    );
    return this.#shapes.get(key) ?? null;
  }

  /** Elements of a constant, large 64-bit integers rounded; null for other tensors. */
  numbers(ref: TensorRef): readonly number[] | null {
    const value = this.graph.get(ref.node)?.value;
    if (value !== undefined && value.dtype !== 'string') return Array.from(value.data, Number);
    const constant = this.constant(ref);
    return constant === undefined ? null : Array.from(constant.data);
  }

  /** Elements of a tensor of sizes, -1 for those that are not known; null if not even their number is. */
  sizes(ref: TensorRef): readonly number[] | null {
    const constant = this.numbers(ref);
    if (constant !== null) return constant;
    const node = this.graph.get(ref.node);
    const first = node?.inputs[0];
    if (node !== undefined && first !== undefined) {
      if (node.op === 'Shape') return this.shape(first);
      if (node.op === 'Cast' || node.op === 'Identity') return this.sizes(first);
      if (node.op === 'Pack') return node.inputs.map((input) => this.sizes(input)?.[0] ?? -1);
      if (node.op === 'StridedSlice') return this.#oneSize(node);
    }
    const shape = this.shape(ref);
    const count = shape?.reduce((total, size) => (size < 0 ? NaN : total * size), 1);
    return count === undefined || Number.isNaN(count) ? null : new Array<number>(count).fill(-1);
  }

  /** A single one of a tensor of sizes, as `x.shape[-1]` asks for it. */
  #oneSize(node: GraphNode): readonly number[] | null {
    const whole = this.sizes(inputOf(node, 0));
    const at = this.numbers(inputOf(node, 1))?.[0];
    const isSingle = intAttr(node, 'shrink_axis_mask') === 1 && this.shape(inputOf(node, 1))?.[0] === 1;
    return whole === null || at === undefined || !isSingle ? null : [whole.at(at) ?? -1];
  }

  /**
   * Axes of input `index` counted from the front, whatever sign they are given with.
   *
   * @throws {UnsupportedModel} if its rank is open and some are negative
   * @throws {BrokenModel} if an axis does not exist
   */
  normalAxes(node: GraphNode, index: number, axes: readonly number[]): readonly number[] {
    const rank = this.shape(inputOf(node, index))?.length;
    if (rank === undefined) {
      if (axes.every((axis) => axis >= 0)) return axes;
      throw unsupported(node, 'axes from the back of a tensor of open rank');
    }
    return axes.map((axis) => normalAxis(axis, rank, node));
  }

  /** The value of a tensor that does not depend on any input, computed here if need be. */
  constant(ref: TensorRef): HostTensor | undefined {
    return this.#constants.of(ref);
  }

  /** Elements of a constant input. @throws {UnsupportedModel} if it depends on the model's inputs */
  numbersInput(node: GraphNode, index: number): readonly number[] {
    const numbers = this.numbers(inputOf(node, index));
    if (numbers === null) throw unsupported(node, `input ${index} is not a constant`);
    return numbers;
  }

  /** A constant input as numbers. @throws {UnsupportedModel} if it depends on the model's inputs */
  constantInput(node: GraphNode, index: number): HostTensor {
    const constant = this.constant(inputOf(node, index));
    if (constant === undefined) throw unsupported(node, `input ${index} is not a constant`);
    return constant;
  }
}
