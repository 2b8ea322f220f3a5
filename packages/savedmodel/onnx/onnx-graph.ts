import { fromHostTensor, hostTensorOf } from '../host/host-tensor.ts';
import { bytesOfTensor, type DenseTensor } from '../savedmodel/dense-tensor.ts';
import { type DType, type TensorSpec, UnsupportedModel } from '../savedmodel/servable-model.ts';
import { WireWriter } from '../savedmodel/wire-writer.ts';

/** Version of the operator set that the converters are written for. https://onnx.ai/onnx/operators/ */
const OPSET = 18;
const IR_VERSION = 8;

/** `onnx.TensorProto.DataType.BFLOAT16`. */
const BFLOAT16 = 16;

/** `onnx.TensorProto.DataType`. */
const ELEMENT_TYPE: Readonly<Record<DType, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
};

/** An attribute's value; a plain number is an integer, because ONNX has both kinds and JavaScript one. */
export type OnnxAttribute =
  number | string | readonly number[] | { readonly float: number } | { readonly graph: OnnxGraph };

/** An operation's input: a tensor's name (none if empty), or int64 constants: a number is a scalar, a list a vector. */
export type Operand = string | number | readonly number[];

/** State that a graph and the graphs inside it have in common. */
interface Shared {
  readonly initializers: WireWriter[];
  /** Names of small constants by their values. */
  readonly known: Map<string, string>;
  names: number;
  hasBranches: boolean;
}

/** An ONNX graph under construction; tensors are named by text, and names that begin with `_` are its own. */
export class OnnxGraph {
  readonly #nodes: WireWriter[] = [];
  readonly #inputs: WireWriter[] = [];
  readonly #outputs: WireWriter[] = [];
  readonly #shared: Shared;
  /** Whom the nodes that are added next are made for; onnxruntime's messages name it. */
  origin = '';

  constructor(shared: Shared = { initializers: [], known: new Map(), names: 0, hasBranches: false }) {
    this.#shared = shared;
  }

  /** Whether an `If` stands in it or in the graphs around and inside it. */
  get hasBranches(): boolean {
    return this.#shared.hasBranches;
  }

  /** A graph for the body of a loop or a branch, an attribute of one of this graph's nodes: it may use this graph's tensors. */
  inner(): OnnxGraph {
    const graph = new OnnxGraph(this.#shared);
    graph.origin = this.origin;
    return graph;
  }

  /** Adds an operation without attributes, such as `op('Add', a, b)`, and returns its output's name. */
  readonly op = (name: string, ...inputs: readonly Operand[]): string => this.node(name, inputs);

  /**
   * Adds an operation with one output and returns that output's name.
   *
   * @param remark what onnxruntime's message says of the node should it fail
   */
  node(
    op: string,
    inputs: readonly Operand[],
    attributes: Readonly<Record<string, OnnxAttribute>> = {},
    remark?: string,
  ): string {
    const output = this.#newName();
    this.#addNode(op, inputs, [output], attributes, remark);
    return output;
  }

  /** Adds a node like `node`, for an operation with several outputs. */
  nodeOf(
    count: number,
    op: string,
    inputs: readonly Operand[],
    attributes: Readonly<Record<string, OnnxAttribute>> = {},
  ) {
    const outputs = Array.from({ length: count }, () => this.#newName());
    this.#addNode(op, inputs, outputs, attributes);
    return outputs;
  }

  constant(tensor: DenseTensor): string {
    const name = this.#newName();
    const writer = new WireWriter();
    for (const size of tensor.shape) writer.int(1, size);
    writer.int(2, ELEMENT_TYPE[tensor.dtype]);
    writer.text(8, name);
    writer.bytes(9, bytesOfTensor(tensor));
    this.#shared.initializers.push(writer);
    return name;
  }

  /** An int64 constant, the type that ONNX wants for axes, sizes and shapes; equal ones are one. */
  integers(values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.#constantOf(`${shape.join()}:${values.join()}`, () => ({
      dtype: 'int64',
      shape,
      data: BigInt64Array.from(values, BigInt),
    }));
  }

  /** A constant of one element and no axes; equal ones are one. @throws {UnsupportedModel} for strings */
  scalar(dtype: DType, value: number): string {
    if (dtype === 'string') throw new UnsupportedModel(['constant of strings']);
    if (dtype === 'float16') return this.cast(this.scalar('float32', value), dtype);
    const digits = Object.is(value, -0) ? '-0' : value;
    return this.#constantOf(`${dtype} ${digits}`, () => fromHostTensor(hostTensorOf(dtype, [], [value])));
  }

  cast(input: string, to: DType): string {
    return this.node('Cast', [input], { to: ELEMENT_TYPE[to] });
  }

  /** Rounds float32 to the precision of bfloat16. */
  roundToBfloat16(input: string): string {
    return this.cast(this.node('Cast', [input], { to: BFLOAT16 }), 'float32');
  }

  /** Values between two bounds. onnxruntime fuses `Clip` with a `Relu` in front of it, and refuses the model unless they are of float32. */
  clip(input: string, dtype: DType, least: number, most: number): string {
    const [low, high] = [this.scalar(dtype, least), this.scalar(dtype, most)];
    if (dtype === 'float32' || dtype === 'float16') return this.op('Clip', input, low, high);
    return this.op('Min', this.op('Max', input, low), high);
  }

  /** Sizes of all axes, a vector of int64. */
  shape(tensor: string): string {
    return this.op('Shape', tensor);
  }

  /** Size of one axis, a scalar. */
  size(tensor: string, axis: number): string {
    return this.op('Gather', this.shape(tensor), axis);
  }

  /** The tensor in another shape; a 0 is a size, as in TensorFlow, and not "as before". */
  reshape(tensor: string, shape: Operand): string {
    return this.node('Reshape', [tensor, shape], { allowzero: 1 });
  }

  /** Tensors one behind the other along the first axis. */
  join(...parts: readonly Operand[]): string {
    return this.node('Concat', parts, { axis: 0 });
  }

  transpose(input: string, perm: readonly number[]): string {
    return this.node('Transpose', [input], { perm });
  }

  input(spec: TensorSpec): void {
    this.#inputs.push(valueInfo(spec));
  }

  /** Declares an input of an inner graph and returns its name. */
  innerInput(dtype: DType, shape: TensorSpec['shape'] = null): string {
    const name = this.#newName();
    this.input({ name, dtype, shape });
    return name;
  }

  /** Declares an output of an inner graph. */
  innerOutput(tensor: string, dtype: DType): void {
    this.output(tensor, { name: this.#newName(), dtype, shape: null });
  }

  /** Declares an output under a name of its own. */
  output(tensor: string, spec: TensorSpec): void {
    this.#addNode('Identity', [tensor], [spec.name], {});
    // Without a shape: signatures may promise less, or more, than the graph does.
    this.#outputs.push(valueInfo({ ...spec, shape: null }));
  }

  /** The serialized `onnx.ModelProto`. */
  toModel(): Uint8Array {
    const graph = this.toGraph();
    for (const initializer of this.#shared.initializers) graph.message(5, initializer);
    const opset = new WireWriter();
    opset.text(1, '');
    opset.int(2, OPSET);
    const model = new WireWriter();
    model.int(1, IR_VERSION);
    model.text(2, 'inferdrop');
    model.message(7, graph);
    model.message(8, opset);
    return model.toBytes();
  }

  /** The `onnx.GraphProto` without constants, which only the outermost graph holds. */
  toGraph(): WireWriter {
    const graph = new WireWriter();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, 'savedmodel');
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, output);
    return graph;
  }

  #integersOf(operand: number | readonly number[]): string {
    return typeof operand === 'number' ? this.integers([operand], []) : this.integers(operand);
  }

  #constantOf(key: string, tensorOf: () => DenseTensor): string {
    const known = this.#shared.known.get(key);
    if (known !== undefined) return known;
    const name = this.constant(tensorOf());
    this.#shared.known.set(key, name);
    return name;
  }

  #newName(): string {
    return `_${this.#shared.names++}`;
  }

  #addNode(
    op: string,
    inputs: readonly Operand[],
    outputs: readonly string[],
    attributes: Readonly<Record<string, OnnxAttribute>>,
    remark = '',
  ): void {
    if (op === 'If') this.#shared.hasBranches = true;
    const node = new WireWriter();
    for (const input of inputs) node.text(1, typeof input === 'string' ? input : this.#integersOf(input));
    for (const output of outputs) node.text(2, output);
    // onnxruntime takes no two nodes of one name.
    node.text(3, `${this.origin} ${remark} ${outputs[0] ?? ''}`);
    node.text(4, op);
    for (const [name, value] of Object.entries(attributes)) node.message(5, attributeProto(name, value));
    this.#nodes.push(node);
  }
}

function attributeProto(name: string, value: OnnxAttribute): WireWriter {
  const writer = new WireWriter();
  writer.text(1, name);
  if (typeof value === 'number') {
    writer.int(3, value);
    writer.int(20, 2);
  } else if (typeof value === 'string') {
    writer.text(4, value);
    writer.int(20, 3);
  } else if ('float' in value) {
    writer.float(2, value.float);
    writer.int(20, 1);
  } else if ('graph' in value) {
    writer.message(6, value.graph.toGraph());
    writer.int(20, 5);
  } else {
    for (const item of value) writer.int(8, item);
    writer.int(20, 7);
  }
  return writer;
}

function valueInfo({ name, dtype, shape }: TensorSpec): WireWriter {
  const tensor = new WireWriter();
  tensor.int(1, ELEMENT_TYPE[dtype]);
  if (shape !== null) {
    const dimensions = new WireWriter();
    shape.forEach((size, axis) => {
      const dimension = new WireWriter();
      if (size < 0) dimension.text(2, `${name}_${axis}`);
      else dimension.int(1, size);
      dimensions.message(1, dimension);
    });
    tensor.message(2, dimensions);
  }
  const type = new WireWriter();
  type.message(1, tensor);
  const info = new WireWriter();
  info.text(1, name);
  info.message(2, type);
  return info;
}
