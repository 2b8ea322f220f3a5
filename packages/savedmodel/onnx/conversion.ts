import { evaluate, isHostOperation } from '../host/evaluate.ts';
import { normalAxis } from '../host/host-operation.ts';
import { fromHostTensor, type HostTensor, isExactOnHost, toHostTensor } from '../host/host-tensor.ts';
import { transposeHost } from '../host/shape-operations.ts';
import type { Library } from '../savedmodel/flatten-functions.ts';
import type { FrozenGraph } from '../savedmodel/frozen-graph.ts';
import {
  type GraphNode,
  inputOf,
  intAttr,
  tensorName,
  type TensorRef,
  typeAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import { BrokenModel, type DType, type Tensor, UnsupportedModel } from '../savedmodel/servable-model.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { isRoundedToBfloat16 } from './bfloat16.ts';
import { partOf } from './complex-part.ts';
import { inferShapes } from './infer-shape.ts';
import type { KnownTensors } from './known-tensors.ts';
import { type DenseTensor, OnnxGraph } from './onnx-graph.ts';

/** Folding must not turn a small file into a large model. */
const MAX_FOLDED_ELEMENTS = 2 ** 24;

const TO_CHANNELS_FIRST = [0, 3, 1, 2] as const;
const TO_CHANNELS_LAST = [0, 2, 3, 1] as const;

/** Turns one TensorFlow node into ONNX nodes and says where its outputs are. */
export type Converter = (node: GraphNode, conversion: Conversion) => void;

/** What a conversion works on. */
export interface Scope {
  readonly graph: FrozenGraph;
  /** Shapes of what the graph is given, by the tensor's name. */
  readonly inputShapes: ReadonlyMap<string, Shape>;
  /** Tensors that are wanted of the graph. */
  readonly results: readonly TensorRef[];
  /** Functions that loops and branches call. */
  readonly library: Library;
  readonly convertNode: Converter;
}

/**
 * The state of one conversion: which ONNX tensor represents which TensorFlow tensor.
 *
 * ONNX convolves images as [batch, channels, height, width], TensorFlow mostly as [batch, height, width, channels]. A tensor of
 * rank 4 may therefore exist channels first, channels last (TensorFlow's own order), or both; it is transposed on demand, at most
 * once. Elementwise operations keep the form of their inputs, so a network is transposed once on its way in and mostly never
 * again.
 */
export class Conversion implements KnownTensors {
  readonly onnx: OnnxGraph;
  readonly scope: Scope;
  readonly #graph: FrozenGraph;
  readonly #inputShapes: ReadonlyMap<string, Shape>;
  readonly #listTypes = new Map<string, DType>();
  readonly #plain = new Map<string, string>();
  readonly #channelsFirst = new Map<string, string>();
  readonly #shapes = new Map<string, Shape>();
  readonly #constants = new Map<string, HostTensor | undefined>();

  constructor(scope: Scope, onnx = new OnnxGraph()) {
    this.scope = scope;
    this.onnx = onnx;
    this.#graph = scope.graph;
    this.#inputShapes = scope.inputShapes;
  }

  /**
   * Converts every node in order.
   *
   * @param given names of nodes whose tensors are there
   * @throws {UnsupportedModel} with every operation that has no converter, not only the first
   */
  convertNodes(given: ReadonlySet<string>): void {
    const missing = new Set<string>();
    for (const node of this.#graph.values()) {
      if (given.has(node.name) || node.op === 'Const' || this.constant({ node: node.name, index: 0 }))
        continue;
      // Asked for in order, so that no shape is sought through the whole graph.
      this.shape({ node: node.name, index: 0 });
      try {
        this.scope.convertNode(node, this);
      } catch (error) {
        if (!(error instanceof UnsupportedModel)) throw error;
        error.ops.forEach((op) => missing.add(op));
        // A stand-in, so that the nodes behind it can be judged too; the conversion fails in the end.
        for (const index of this.usedOutputs(node)) this.set(node, '', index);
        this.set(node, '');
        for (const part of ['real', 'imaginary'] as const) this.set(partOf(node, part), '');
      }
    }
    if (missing.size > 0) throw new UnsupportedModel([...missing].sort());
  }

  /** Indices of the node's outputs that something depends on. */
  usedOutputs(node: GraphNode): ReadonlySet<number> {
    const uses = [...this.#graph.values()].flatMap(({ inputs }) => inputs);
    const own = [...uses, ...this.scope.results].filter((ref) => ref.node === node.name);
    return new Set(own.map(({ index }) => index));
  }

  /** The nodes that take one of the node's outputs. */
  usersOf(node: GraphNode): GraphNode[] {
    return [...this.#graph.values()].filter(({ inputs }) => inputs.some((ref) => ref.node === node.name));
  }

  /** The node that a tensor comes from, behind those that only hand it on. */
  source(ref: TensorRef): { readonly node: GraphNode | undefined; readonly ref: TensorRef } {
    let current = ref;
    for (;;) {
      const node = this.#graph.get(current.node);
      if (node?.op !== 'Identity') return { node, ref: current };
      current = inputOf(node, 0);
    }
  }

  /** Declares the shape of an output that only its converter knows. */
  setShape(node: GraphNode, shape: Shape, index = 0): void {
    this.#shapes.set(tensorName({ node: node.name, index }), shape);
  }

  /** Declares that the node's output is a list of tensors of one shape, held as one tensor whose first axis is the list. */
  setList(node: GraphNode, onnxName: string, dtype: DType, index = 0): void {
    this.set(node, onnxName, index);
    this.#listTypes.set(tensorName({ node: node.name, index }), dtype);
  }

  /** Whether the tensor stands for a list. */
  isList(ref: TensorRef): boolean {
    return this.#listTypes.has(tensorName(this.source(ref).ref));
  }

  /** Element type of a list. @throws {UnsupportedModel} if nothing in the graph says it */
  listType(ref: TensorRef): DType {
    const { node, ref: source } = this.source(ref);
    const dtype = this.#listTypes.get(tensorName(source));
    if (dtype === undefined)
      throw new UnsupportedModel([`${node?.op ?? 'list'} (a list of an unknown type)`]);
    return dtype;
  }

  /** The value of a tensor that does not depend on any input. */
  known(ref: TensorRef): Tensor | undefined {
    const value = this.#graph.get(ref.node)?.value;
    if (value !== undefined) return value;
    const constant = this.constant(ref);
    return constant && fromHostTensor(constant);
  }

  /** The tensor's shape as far as the graph states it, in TensorFlow's order of axes: -1 for an open size, null for an open rank. */
  shape(ref: TensorRef): Shape {
    const key = tensorName(ref);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const declared = this.#inputShapes.get(key);
    const node = this.#graph.get(ref.node);
    if (declared !== undefined || node === undefined) return declared ?? null;
    inferShapes(node, this).forEach((shape, index) =>
      this.#shapes.set(tensorName({ node: ref.node, index }), shape),
    );
    return this.#shapes.get(key) ?? null;
  }

  /** Elements of a constant, large 64-bit integers rounded; null for other tensors. */
  numbers(ref: TensorRef): readonly number[] | null {
    const value = this.#graph.get(ref.node)?.value;
    if (value !== undefined && value.dtype !== 'string') return Array.from(value.data, Number);
    const constant = this.constant(ref);
    return constant === undefined ? null : Array.from(constant.data);
  }

  /** Elements of a tensor of sizes, -1 for those that are not known; null if not even their number is. */
  sizes(ref: TensorRef): readonly number[] | null {
    const constant = this.numbers(ref);
    if (constant !== null) return constant;
    const node = this.#graph.get(ref.node);
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

  /** Declares that the node's output is `onnxName`, in TensorFlow's order of axes. */
  set(node: GraphNode, onnxName: string, index = 0): void {
    this.#plain.set(tensorName({ node: node.name, index }), this.#rounded(node, onnxName, index));
  }

  /** Declares that the node's output, an image in TensorFlow, is `onnxName` with channels first. */
  setChannelsFirst(node: GraphNode, onnxName: string, index = 0): void {
    this.#channelsFirst.set(tensorName({ node: node.name, index }), this.#rounded(node, onnxName, index));
  }

  /** Input `index` of the node in TensorFlow's order of axes. */
  input(node: GraphNode, index = 0): string {
    return this.value(inputOf(node, index));
  }

  /** The tensor in TensorFlow's order of axes. */
  value(ref: TensorRef): string {
    const key = tensorName(ref);
    const known = this.#plain.get(key);
    if (known !== undefined) return known;
    const name = this.#makePlain(ref);
    this.#plain.set(key, name);
    return name;
  }

  /** Input `index` of the node, an image, with channels first. */
  imageInput(node: GraphNode, index = 0): string {
    return this.#image(inputOf(node, index));
  }

  /** Whether the input exists with channels first, and only so. */
  isChannelsFirst(node: GraphNode, index = 0): boolean {
    const key = tensorName(inputOf(node, index));
    return this.#channelsFirst.has(key) && !this.#plain.has(key);
  }

  /** Whether the node's inputs can all be had with channels first at no cost: some are, and the rest are constants. */
  allChannelsFirst(node: GraphNode): boolean {
    const some = node.inputs.some((_, index) => this.isChannelsFirst(node, index));
    return (
      some && node.inputs.every((ref) => this.#channelsFirst.has(tensorName(ref)) || this.#broadcastable(ref))
    );
  }

  /** An input that is broadcast against images with channels first. */
  broadcastInput(node: GraphNode, index: number): string {
    const ref = inputOf(node, index);
    const constant = this.constant(ref);
    if (constant === undefined) return this.#image(ref);
    if (constant.data.length === 1 || constant.shape.length === 0) return this.value(ref);
    const key = tensorName(ref);
    const known = this.#channelsFirst.get(key);
    if (known !== undefined) return known;
    const padded = [...new Array<number>(4 - constant.shape.length).fill(1), ...constant.shape];
    const moved = transposeHost({ ...constant, shape: padded }, TO_CHANNELS_FIRST, node);
    const name = this.onnx.constant(fromHostTensor(moved));
    this.#channelsFirst.set(key, name);
    return name;
  }

  /** The sizes of input `index` in TensorFlow's order of axes (int64), which cost no transposition of the tensor itself. */
  shapeOf(node: GraphNode, index = 0): string {
    const { onnx } = this;
    if (!this.isChannelsFirst(node, index)) return onnx.node('Shape', [this.input(node, index)]);
    const sizes = onnx.node('Shape', [this.imageInput(node, index)]);
    return onnx.node('Gather', [sizes, onnx.integers(TO_CHANNELS_LAST)]);
  }

  /** The value of a tensor that does not depend on any input, computed here if need be. */
  constant(ref: TensorRef): HostTensor | undefined {
    const key = tensorName(ref);
    if (this.#constants.has(key)) return this.#constants.get(key);
    // The recursion is shallow: nodes come in order, so an input's own inputs have been folded before.
    const constant = this.#fold(ref);
    this.#constants.set(key, constant);
    return constant;
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

  /** A scalar constant of the element type that the node's attribute `type` names. */
  scalar(node: GraphNode, value: number, type = 'T'): string {
    return this.onnx.scalar(typeAttr(node, type, 'float32'), value);
  }

  /** A small integer input as ONNX wants it: int64, whether it is known or computed. */
  int64Input(node: GraphNode, index: number): string {
    const constant = this.constant(inputOf(node, index));
    if (constant !== undefined) return this.onnx.integers(Array.from(constant.data), constant.shape);
    return this.onnx.cast(this.input(node, index), 'int64');
  }

  #rounded(node: GraphNode, onnxName: string, index: number): string {
    return isRoundedToBfloat16(node, index) ? this.onnx.roundToBfloat16(onnxName) : onnxName;
  }

  #image(ref: TensorRef): string {
    const key = tensorName(ref);
    const known = this.#channelsFirst.get(key);
    if (known !== undefined) return known;
    const name = this.onnx.transpose(this.value(ref), TO_CHANNELS_FIRST);
    this.#channelsFirst.set(key, name);
    return name;
  }

  #makePlain(ref: TensorRef): string {
    const image = this.#channelsFirst.get(tensorName(ref));
    if (image !== undefined && this.constant(ref) === undefined)
      return this.onnx.transpose(image, TO_CHANNELS_LAST);
    const node = this.#graph.get(ref.node);
    if (node?.value !== undefined) return this.onnx.constant(dense(node.value, node));
    const constant = this.constant(ref);
    if (constant !== undefined) return this.onnx.constant(fromHostTensor(constant));
    throw new BrokenModel(`Tensor ${tensorName(ref)} is used before it is computed`);
  }

  #broadcastable(ref: TensorRef): boolean {
    const constant = this.constant(ref);
    return constant !== undefined && constant.shape.length <= 4;
  }

  #fold(ref: TensorRef): HostTensor | undefined {
    const node = this.#graph.get(ref.node);
    if (node === undefined || ref.index !== 0) return undefined;
    const { value } = node;
    if (value !== undefined) {
      const isHeld = value.dtype !== 'string' && value.dtype !== 'float16' && isExactOnHost(value);
      return isHeld ? toHostTensor(value) : undefined;
    }
    if (node.inputs.length === 0 || !isHostOperation(node)) return undefined;
    const inputs: HostTensor[] = [];
    for (const input of node.inputs) {
      const constant = this.constant(input);
      if (constant === undefined || constant.data.length > MAX_FOLDED_ELEMENTS) return undefined;
      inputs.push(constant);
    }
    try {
      return evaluate(node, inputs);
    } catch (error) {
      // What the host does not compute may still be computed by onnxruntime.
      if (error instanceof UnsupportedModel) return undefined;
      throw error;
    }
  }
}

function dense(value: GraphNode['value'] & object, node: GraphNode): DenseTensor {
  if (value.dtype === 'string') throw new UnsupportedModel(['constant of strings'], `node ${node.name}`);
  return value;
}
