import { readShape, type Shape } from './tensor-proto.ts';
import type { WireReader } from './wire-reader.ts';

/** `tensorflow.AttrValue`; exactly one member is set. Tensors are decoded on demand. */
export interface AttrValue {
  readonly text?: Uint8Array;
  readonly int?: number;
  readonly float?: number;
  readonly bool?: boolean;
  readonly type?: number;
  readonly shape?: Shape;
  readonly tensor?: Uint8Array;
  readonly functionName?: string;
  readonly list?: AttrList;
}

interface AttrList {
  readonly ints: readonly number[];
  readonly floats: readonly number[];
  readonly types: readonly number[];
  readonly texts: readonly Uint8Array[];
  readonly shapes: readonly Shape[];
}

/** Attributes of a node by name; one that has its operation's default may be missing. */
export type Attributes = ReadonlyMap<string, AttrValue>;

/** `tensorflow.NodeDef`: an input is `node`, `node:index`, `node:argument:index` (in functions) or `^control`. */
export interface NodeDef {
  readonly name: string;
  readonly op: string;
  readonly inputs: readonly string[];
  readonly attributes: Attributes;
}

/** An argument of an operation: one tensor, or as many as an attribute of the node says. */
export interface ArgDef {
  readonly name: string;
  readonly numberAttr: string;
  readonly typeListAttr: string;
}

/** `tensorflow.OpDef` of an operation or a function, as far as it says how many tensors go in and come out. */
interface OpDef {
  readonly name: string;
  readonly inputs: readonly ArgDef[];
  readonly outputs: readonly ArgDef[];
}

/** `tensorflow.FunctionDef`: in its body, tensors are named `node:argument:index`, and its own arguments by their names. */
export interface FunctionDef {
  readonly signature: OpDef;
  readonly nodes: readonly NodeDef[];
  /** Output argument → tensor of the body. */
  readonly returns: ReadonlyMap<string, string>;
}

/** `tensorflow.GraphDef`; functions by their names. */
export interface GraphDef {
  readonly nodes: readonly NodeDef[];
  readonly functions: ReadonlyMap<string, FunctionDef>;
}

/** Reads `tensorflow.GraphDef` with its function library. */
export function readGraphDef(message: WireReader): GraphDef {
  const nodes: NodeDef[] = [];
  const functions = new Map<string, FunctionDef>();
  while (message.next()) {
    if (message.field === 1) nodes.push(readNodeDef(message.message()));
    else if (message.field === 2) {
      const library = message.message();
      while (library.next()) {
        if (library.field !== 1) continue;
        const definition = readFunctionDef(library.message());
        functions.set(definition.signature.name, definition);
      }
    }
  }
  return { nodes, functions };
}

/** Reads `tensorflow.OpDef`; only the arguments matter here. */
function readOpDef(message: WireReader): OpDef {
  let name = '';
  const inputs: ArgDef[] = [];
  const outputs: ArgDef[] = [];
  while (message.next()) {
    if (message.field === 1) name = message.text();
    else if (message.field === 2) inputs.push(readArgDef(message.message()));
    else if (message.field === 3) outputs.push(readArgDef(message.message()));
  }
  return { name, inputs, outputs };
}

/** Reads one entry of a map field with a text key. */
export function readMapEntry<T>(
  message: WireReader,
  absent: T,
  read: (message: WireReader) => T,
): [string, T] {
  let key = '';
  let value = absent;
  while (message.next()) {
    if (message.field === 1) key = message.text();
    else if (message.field === 2) value = read(message);
  }
  return [key, value];
}

function readArgDef(message: WireReader): ArgDef {
  let name = '';
  let numberAttr = '';
  let typeListAttr = '';
  while (message.next()) {
    if (message.field === 1) name = message.text();
    else if (message.field === 5) numberAttr = message.text();
    else if (message.field === 6) typeListAttr = message.text();
  }
  return { name, numberAttr, typeListAttr };
}

function readFunctionDef(message: WireReader): FunctionDef {
  let signature: OpDef = { name: '', inputs: [], outputs: [] };
  const nodes: NodeDef[] = [];
  const returns = new Map<string, string>();
  while (message.next()) {
    if (message.field === 1) signature = readOpDef(message.message());
    else if (message.field === 3) nodes.push(readNodeDef(message.message()));
    else if (message.field === 4)
      returns.set(...readMapEntry(message.message(), '', (value) => value.text()));
  }
  return { signature, nodes, returns };
}

function readNodeDef(message: WireReader): NodeDef {
  let name = '';
  let op = '';
  const inputs: string[] = [];
  const attributes = new Map<string, AttrValue>();
  while (message.next()) {
    if (message.field === 1) name = message.text();
    else if (message.field === 2) op = message.text();
    else if (message.field === 3) inputs.push(message.text());
    else if (message.field === 5) {
      attributes.set(
        ...readMapEntry<AttrValue>(message.message(), {}, (value) => readAttrValue(value.message())),
      );
    }
  }
  return { name, op, inputs, attributes };
}

function readAttrValue(message: WireReader): AttrValue {
  let value: AttrValue = {};
  while (message.next()) {
    switch (message.field) {
      case 1:
        value = { list: readAttrList(message.message()) };
        break;
      case 2:
        value = { text: message.bytes() };
        break;
      case 3:
        value = { int: message.int() };
        break;
      case 4:
        value = { float: message.float() };
        break;
      case 5:
        value = { bool: message.bool() };
        break;
      case 6:
        value = { type: message.int() };
        break;
      case 7:
        value = { shape: readShape(message.message()) };
        break;
      case 8:
        value = { tensor: message.bytes() };
        break;
      case 10:
        value = { functionName: readFunctionName(message.message()) };
        break;
    }
  }
  return value;
}

function readAttrList(message: WireReader): AttrList {
  const ints: bigint[] = [];
  const types: bigint[] = [];
  const texts: Uint8Array[] = [];
  const shapes: Shape[] = [];
  const floats: number[] = [];
  while (message.next()) {
    if (message.field === 2) texts.push(message.bytes());
    else if (message.field === 4) message.floats(floats);
    else if (message.field === 7) shapes.push(readShape(message.message()));
    else if (message.field === 3) message.ints(ints);
    else if (message.field === 6) message.ints(types);
  }
  return { ints: ints.map(Number), floats, types: types.map(Number), texts, shapes };
}

function readFunctionName(message: WireReader): string {
  let name = '';
  while (message.next()) if (message.field === 1) name = message.text();
  return name;
}
