import { fromHostTensor } from '../host/host-tensor.ts';
import { transposeHost } from '../host/shape-operations.ts';
import type { DenseTensor } from '../savedmodel/dense-tensor.ts';
import type { Library } from '../savedmodel/flatten-functions.ts';
import {
  type GraphNode,
  inputOf,
  tensorName,
  type TensorRef,
  typeAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import type { AppliedRewrite } from '../savedmodel/optimized-graph.ts';
import { BrokenModel, type DType, UnsupportedModel } from '../savedmodel/servable-model.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { partOf } from './complex-part.ts';
import { KnownGraph, type KnownScope } from './known-graph.ts';
import { OnnxGraph } from './onnx-graph.ts';
import { isRoundedToBfloat16 } from './rounded-to-bfloat16.ts';

const TO_CHANNELS_FIRST = [0, 3, 1, 2] as const;
const TO_CHANNELS_LAST = [0, 2, 3, 1] as const;

/** Turns one TensorFlow node into ONNX nodes and says where its outputs are. */
export type Converter = (node: GraphNode, conversion: Conversion) => void;

/** Dependencies of a conversion. */
export interface Scope extends KnownScope {
  /** Functions that loops and branches call. */
  readonly library: Library;
  readonly convertNode: Converter;
  /** Shapes of the graph's inputs, by the tensor's name, as far as TensorFlow's optimizer believes them. */
  readonly believedShapes: ReadonlyMap<string, Shape>;
  /** Rewrites in loops and branches are added here. */
  readonly rewrites: AppliedRewrite[];
}

/**
 * The state of one conversion: which ONNX tensor represents which TensorFlow tensor.
 *
 * ONNX convolves images as [batch, channels, height, width], TensorFlow mostly as [batch, height, width, channels]. A tensor of
 * rank 4 may therefore exist channels first, channels last (TensorFlow's own order), or both; it is transposed on demand, at most
 * once. Elementwise operations keep the form of their inputs, so a network is transposed once on its way in and mostly never
 * again.
 */
export class Conversion extends KnownGraph {
  readonly onnx: OnnxGraph;
  readonly scope: Scope;
  #believed: KnownGraph | undefined;
  readonly #converted = new Set<string>();
  readonly #listTypes = new Map<string, DType>();
  readonly #plain = new Map<string, string>();
  readonly #channelsFirst = new Map<string, string>();

  constructor(scope: Scope, onnx = new OnnxGraph()) {
    super(scope);
    this.scope = scope;
    this.onnx = onnx;
  }

  /**
   * Converts every node in order.
   *
   * @param given names of nodes with tensors that are already there
   * @throws {UnsupportedModel} with every operation that has no converter, not only the first
   */
  convertNodes(given: ReadonlySet<string>): void {
    const missing = new Set<string>();
    for (const node of this.graph.values()) {
      if (given.has(node.name) || node.op === 'Const' || this.constant({ node: node.name, index: 0 }))
        continue;
      // Asked for in order, so that no shape is sought through the whole graph.
      this.shape({ node: node.name, index: 0 });
      try {
        this.scope.convertNode(node, this);
        this.#converted.add(node.name);
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

  /** The tensor's shape as TensorFlow's optimizer knows it. */
  believedShape(ref: TensorRef): Shape {
    const { believedShapes: inputShapes } = this.scope;
    this.#believed ??= new KnownGraph({ ...this.scope, inputShapes }).inferAll();
    return this.#believed.shape(ref);
  }

  /** Declares that the node's output is a list of tensors of one shape, held as one tensor with the list as its first axis. */
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

  /**
   * Input 0 in the order of axes that it has in memory, for operations that keep it: `place` tells where an axis of TensorFlow's lies,
   * and `set` declares the result.
   */
  asLaidOut(node: GraphNode) {
    const isImage = this.isChannelsFirst(node);
    return {
      isImage,
      tensor: isImage ? this.imageInput(node) : this.input(node),
      place: (axis: number) => (isImage ? ([0, 2, 3, 1].at(axis) ?? 0) : axis),
      set: (result: string) => {
        if (isImage) this.setChannelsFirst(node, result);
        else this.set(node, result);
      },
    };
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
    if (!this.isChannelsFirst(node, index)) return onnx.shape(this.input(node, index));
    const sizes = onnx.shape(this.imageInput(node, index));
    return onnx.op('Gather', sizes, TO_CHANNELS_LAST);
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
    const node = this.graph.get(ref.node);
    if (node?.value !== undefined) return this.onnx.constant(dense(node.value, node));
    const constant = this.constant(ref);
    if (constant !== undefined) return this.onnx.constant(fromHostTensor(constant));
    if (node !== undefined && this.#converted.has(node.name)) throw unsupported(node, `output ${ref.index}`);
    throw new BrokenModel(`Tensor ${tensorName(ref)} is used before it is computed`);
  }

  #broadcastable(ref: TensorRef): boolean {
    const constant = this.constant(ref);
    return constant !== undefined && constant.shape.length <= 4;
  }
}

function dense(value: GraphNode['value'] & object, node: GraphNode): DenseTensor {
  if (value.dtype === 'string') throw new UnsupportedModel(['constant of strings'], `node ${node.name}`);
  return value;
}
