import type { Field } from '../wire-format.ts';
import { integers, messages, textOf, Unreadable, whole } from './message-fields.ts';
import type { OnnxValue } from './onnx-model.ts';

/** Element types by the numbers of ONNX's `TensorProto.DataType`, with the bits of an element in a file, if fixed. */
const TYPES: ReadonlyMap<number, readonly [name: string, bits: number]> = new Map([
  [1, ['float32', 32]],
  [2, ['uint8', 8]],
  [3, ['int8', 8]],
  [4, ['uint16', 16]],
  [5, ['int16', 16]],
  [6, ['int32', 32]],
  [7, ['int64', 64]],
  [8, ['string', 0]],
  [9, ['bool', 8]],
  [10, ['float16', 16]],
  [11, ['float64', 64]],
  [12, ['uint32', 32]],
  [13, ['uint64', 64]],
  [14, ['complex64', 64]],
  [15, ['complex128', 128]],
  [16, ['bfloat16', 16]],
  [17, ['float8e4m3fn', 8]],
  [18, ['float8e4m3fnuz', 8]],
  [19, ['float8e5m2', 8]],
  [20, ['float8e5m2fnuz', 8]],
  [21, ['uint4', 4]],
  [22, ['int4', 4]],
  [23, ['float4e2m1', 4]],
]);

/** Types within types; Protocol Buffers' own readers take 100 nested messages. */
const MAX_TYPE_DEPTH = 24;

/** An input or output of a graph, from `ValueInfoProto`. @throws {Unreadable} */
export function toValue(bytes: Uint8Array): OnnxValue {
  const fields = whole(bytes);
  const [type] = messages(fields, 2);
  return { name: textOf(fields, 1), ...(type === undefined ? UNKNOWN : toType(type, 0)) };
}

const UNKNOWN = { kind: 'unknown', type: 'an unknown type', shape: null } as const;
/** Members of `TypeProto`. */
const TYPE = { tensor: 1, sequence: 4, map: 5, sparse: 8, optional: 9 } as const;

function toType(bytes: Uint8Array, depth: number): Omit<OnnxValue, 'name'> {
  if (depth > MAX_TYPE_DEPTH) throw new Unreadable('a type in it is nested too deep');
  const fields = whole(bytes);
  const first = (number: number): Uint8Array | undefined => messages(fields, number)[0];
  const inner = (message: Uint8Array, number: number): string => {
    const [type] = messages(whole(message), number);
    return type === undefined ? UNKNOWN.type : toType(type, depth + 1).type;
  };
  const [tensor, sparse] = [first(TYPE.tensor), first(TYPE.sparse)];
  if (tensor !== undefined) return toTensorType(tensor);
  if (sparse !== undefined) return { ...toTensorType(sparse), kind: 'sparse tensor' };
  const [sequence, map, optional] = [first(TYPE.sequence), first(TYPE.map), first(TYPE.optional)];
  if (sequence !== undefined)
    return { kind: 'sequence', type: `sequence of ${inner(sequence, 1)}`, shape: null };
  if (optional !== undefined)
    return { kind: 'optional', type: `optional ${inner(optional, 1)}`, shape: null };
  if (map === undefined) return UNKNOWN;
  const [key = 0] = integers(whole(map), 1);
  return { kind: 'map', type: `map from ${elementTypeName(key)} to ${inner(map, 2)}`, shape: null };
}

function toTensorType(bytes: Uint8Array): Omit<OnnxValue, 'name'> {
  const fields = whole(bytes);
  const [number = 0] = integers(fields, 1);
  const [shape] = messages(fields, 2);
  const dimensions = shape && messages(whole(shape), 1).map(whole);
  return {
    kind: 'tensor',
    type: elementTypeName(number),
    shape: dimensions?.map((one) => toDimension(one)) ?? null,
  };
}

function toDimension(fields: readonly Field[]): number | string | null {
  const [size] = integers(fields, 1);
  // Some writers say -1, which takes ten bytes, for an open size.
  if (size !== undefined) return size > Number.MAX_SAFE_INTEGER ? null : size;
  const name = textOf(fields, 2);
  return name === '' ? null : name;
}

/** Name of an element type. */
export function elementTypeName(number: number): string {
  return TYPES.get(number)?.[0] ?? `element type ${number}`;
}

/** Bits of an element in a file; 0 where it has no fixed size. */
export function elementBits(number: number): number {
  return TYPES.get(number)?.[1] ?? 0;
}
