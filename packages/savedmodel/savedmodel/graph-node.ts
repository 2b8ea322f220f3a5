import { resolveElementType } from './element-type.ts';
import type { Attributes, AttrValue } from './graph-def.ts';
import { BrokenModel, type DType, type Tensor, UnsupportedModel } from './servable-model.ts';

/** One output of a node. */
export interface TensorRef {
  readonly node: string;
  readonly index: number;
}

/** A node of a graph without function calls. */
export interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly inputs: readonly TensorRef[];
  readonly attributes: Attributes;
  /** Nodes that run before. Nothing here has side effects, so they matter only if branches may not run at all. */
  readonly controls?: readonly string[];
  /** Whether a function has it that TensorFlow compiles (`jit_compile`), and leaves the assertions of out. */
  readonly isCompiled?: boolean;
  /** The decoded value of a `Const` node, once it has been read. */
  readonly value?: Tensor;
  /** Where a constant's value comes from if the file holds it elsewhere: TensorFlow's optimizer doesn't know it. */
  readonly from?: TensorRef;
}

/** `node:index`, which names a tensor in maps and in the ONNX graph. */
export function tensorName(ref: TensorRef): string {
  return `${ref.node}:${ref.index}`;
}

/** `node` or `node:index`, as signatures and the nodes of a graph (not of a function) name a tensor. */
export function parseTensorRef(text: string): TensorRef {
  const [, node = text, index = '0'] = /^(.*):(\d+)$/.exec(text) ?? [];
  return { node, index: Number(index) };
}

/** The input at `index`. @throws {BrokenModel} if the node has too few */
export function inputOf(node: GraphNode, index: number): TensorRef {
  const input = node.inputs[index];
  if (input === undefined) throw new BrokenModel(`Node ${node.name} (${node.op}) has no input ${index}`);
  return input;
}

/** An integer attribute; integers beyond 2^53 are rounded. */
export function intAttr(node: GraphNode, name: string, absent = 0): number {
  return node.attributes.get(name)?.int ?? absent;
}

/** A float attribute. */
export function floatAttr(node: GraphNode, name: string, absent: number): number {
  return node.attributes.get(name)?.float ?? absent;
}

/** A boolean attribute. */
export function boolAttr(node: GraphNode, name: string, absent = false): boolean {
  return node.attributes.get(name)?.bool ?? absent;
}

/** An attribute of bytes, read as UTF-8. */
export function textAttr(node: GraphNode, name: string, absent = ''): string {
  const text = node.attributes.get(name)?.text;
  return text === undefined ? absent : Buffer.from(text).toString();
}

/** A list of integers; empty if the attribute is absent. */
export function intsAttr(node: GraphNode, name: string): readonly number[] {
  return node.attributes.get(name)?.list?.ints ?? [];
}

/** An attribute that names an element type. @throws {BrokenModel} if it is absent and has no default */
export function typeAttr(node: GraphNode, name: string, absent?: DType): DType {
  const type = node.attributes.get(name)?.type;
  if (type !== undefined) return resolveElementType(type, node.name);
  if (absent !== undefined) return absent;
  throw new BrokenModel(`Node ${node.name} (${node.op}) has no attribute ${name}`);
}

/** The attribute itself. @throws {BrokenModel} if it is absent */
export function attribute(node: GraphNode, name: string): AttrValue {
  const value = node.attributes.get(name);
  if (value === undefined) throw new BrokenModel(`Node ${node.name} (${node.op}) has no attribute ${name}`);
  return value;
}

/** Error to throw for a form of an operation that has no counterpart: `Conv2D with explicit dilation`. */
export function unsupported(node: GraphNode, form = ''): UnsupportedModel {
  return new UnsupportedModel([form === '' ? node.op : `${node.op} (${form})`], `node ${node.name}`);
}
