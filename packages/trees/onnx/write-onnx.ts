import { WireWriter } from '@inferdrop/savedmodel/internal/wire-writer';

/** Element types: `onnx.TensorProto.DataType`. */
export const ELEMENT_TYPES = { float32: 1, float64: 11 } as const;
type ElementName = keyof typeof ELEMENT_TYPES;

/** Versions of the sets of operators by their domains. */
const OPSETS = { '': 17, 'ai.onnx.ml': 3 } as const;

/** Value of an attribute; a number is an integer. */
export type Attribute = number | string | readonly number[] | readonly string[] | Float32Array | Float64Array;

/** Operation with one output. */
export interface OnnxNode {
  readonly op: string;
  readonly domain?: keyof typeof OPSETS;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

/** Input or output with a row a record. */
interface OnnxRows {
  readonly name: string;
  readonly type: ElementName;
  readonly columns: number;
}

/** A graph with one input and one output. */
export interface OnnxModel {
  readonly nodes: readonly OnnxNode[];
  /** Numbers by their names. */
  readonly constants: Readonly<Record<string, Float32Array | Float64Array>>;
  readonly input: OnnxRows;
  readonly output: OnnxRows;
  readonly metadata: Readonly<Record<string, string>>;
}

const IR_VERSION = 8;

/** The bytes of a file `model.onnx`: fields of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3. */
export function writeOnnx({ nodes, constants, input, output, metadata }: OnnxModel): Uint8Array {
  const graph = new WireWriter();
  for (const node of nodes) graph.message(1, nodeProto(node));
  graph.text(2, 'trees');
  for (const [name, numbers] of Object.entries(constants)) graph.message(5, tensorProto(name, numbers));
  graph.message(11, rowsProto(input));
  graph.message(12, rowsProto(output));
  const model = new WireWriter();
  model.int(1, IR_VERSION);
  model.text(2, 'inferdrop');
  model.message(7, graph);
  for (const [domain, version] of Object.entries(OPSETS))
    model.message(
      8,
      proto((opset) => (opset.text(1, domain), opset.int(2, version))),
    );
  for (const [key, value] of Object.entries(metadata))
    model.message(
      14,
      proto((entry) => (entry.text(1, key), entry.text(2, value))),
    );
  return model.toBytes();
}

function proto(write: (writer: WireWriter) => void): WireWriter {
  const writer = new WireWriter();
  write(writer);
  return writer;
}

function nodeProto({ op, domain = '', inputs, output, attributes = {} }: OnnxNode): WireWriter {
  return proto((node) => {
    for (const name of inputs) node.text(1, name);
    node.text(2, output);
    node.text(4, op);
    for (const [name, value] of Object.entries(attributes)) node.message(5, attributeProto(name, value));
    node.text(7, domain);
  });
}

/** `onnx.AttributeProto.AttributeType`. */
const KINDS = { int: 2, text: 3, tensor: 4, ints: 7, texts: 8 };

function attributeProto(name: string, value: Attribute): WireWriter {
  return proto((attribute) => {
    attribute.text(1, name);
    const kind = writeValue(attribute, value);
    attribute.int(20, KINDS[kind]);
  });
}

function writeValue(attribute: WireWriter, value: Attribute): keyof typeof KINDS {
  if (typeof value === 'number') {
    attribute.int(3, value);
    return 'int';
  }
  if (typeof value === 'string') {
    attribute.text(4, value);
    return 'text';
  }
  if (value instanceof Float32Array || value instanceof Float64Array) {
    attribute.message(5, tensorProto('', value));
    return 'tensor';
  }
  for (const item of value)
    if (typeof item === 'number') attribute.int(8, item);
    else attribute.text(9, item);
  return typeof value[0] === 'number' ? 'ints' : 'texts';
}

function tensorProto(name: string, numbers: Float32Array | Float64Array): WireWriter {
  return proto((tensor) => {
    tensor.int(1, numbers.length);
    tensor.int(2, ELEMENT_TYPES[numbers instanceof Float32Array ? 'float32' : 'float64']);
    tensor.text(8, name);
    tensor.bytes(9, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  });
}

function rowsProto({ name, type, columns }: OnnxRows): WireWriter {
  const shape = proto((dimensions) => {
    dimensions.message(
      1,
      proto((rows) => rows.text(2, 'N')),
    );
    dimensions.message(
      1,
      proto((width) => width.int(1, columns)),
    );
  });
  const tensor = proto((one) => (one.int(1, ELEMENT_TYPES[type]), one.message(2, shape)));
  return proto(
    (info) => (
      info.text(1, name),
      info.message(
        2,
        proto((kind) => kind.message(1, tensor)),
      )
    ),
  );
}
