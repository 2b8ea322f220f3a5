import { type GraphNode, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** Largest finite number of the float types. */
export const MAX_FLOAT: ReadonlyMap<DType, number> = new Map([
  ['float16', 65504],
  ['float32', (2 - 2 ** -23) * 2 ** 127],
  ['float64', Number.MAX_VALUE],
]);

const INTEGERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'] as const;
const SMALL = ['int8', 'int16', 'uint8', 'uint16'] as const;
const UNSIGNED = ['uint32', 'uint64'] as const;

/**
 * TensorFlow element types for which onnxruntime 1.30 lacks a CPU kernel, by ONNX operation. float16 is not listed: onnxruntime accepts
 * it for every operation and computes in float32. packages/savedmodel/test/kernels.test.ts asks onnxruntime itself.
 */
export const MISSING_KERNELS = {
  Max: ['int16', 'uint16'],
  Min: ['int16', 'uint16'],
  Relu: ['int16', 'uint8', 'uint16', 'uint32', 'uint64'],
  Clip: ['int16', 'uint16'],
  Where: ['int8', 'int16', 'uint16', 'uint32', 'uint64', 'bool'],
  Erf: ['float64'],
  Reciprocal: [...INTEGERS],
  Neg: ['uint8', 'uint16', 'uint32', 'uint64'],
  MatMul: [...SMALL],
  Einsum: [...SMALL, ...UNSIGNED],
  ReduceMax: ['int16', 'uint16', ...UNSIGNED],
  ReduceMin: ['int16', 'uint16', ...UNSIGNED],
  ArgMax: ['int16', 'uint16', 'uint32', 'uint64', 'bool'],
  ArgMin: ['int16', 'uint16', 'uint32', 'uint64', 'bool'],
  TopK: ['uint16', 'uint32', 'uint64'],
  CumSum: [...SMALL, ...UNSIGNED],
  Pad: ['int16', 'uint16'],
  Resize: ['float64', 'int16', 'int64', 'uint16', 'uint32', 'uint64'],
  DepthToSpace: ['int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64', 'bool'],
  SpaceToDepth: ['int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64', 'bool'],
  MaxPool: ['int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64'],
  AveragePool: ['float64'],
  Conv: ['float64', 'int32'],
  ConvTranspose: ['float64', 'int32'],
  LRN: ['float64'],
  Range: ['float16', 'int8', 'uint8', 'uint16', ...UNSIGNED],
} as const satisfies Readonly<Record<string, readonly DType[]>>;

/** An ONNX operation that lacks kernels for some element types. */
export type GappyOperation = keyof typeof MISSING_KERNELS;

/** For each type, those that can represent all of its values exactly, smallest first. */
const WIDER: Readonly<Partial<Record<DType, readonly DType[]>>> = {
  bool: ['uint8', 'int32', 'float32'],
  int8: ['int32', 'float32'],
  uint8: ['int32', 'float32'],
  int16: ['int32', 'float32'],
  uint16: ['int32', 'float32'],
  int32: ['int64', 'float64'],
  uint32: ['int64', 'float64'],
};

/**
 * Runs `build` on the element type itself if onnxruntime has a kernel for it, else on a wider type that represents its values.
 * Results that overflow a small integer type wrap around when they are cast back, as in TensorFlow.
 *
 * @param modular whether the operation only moves bits or adds and multiplies, which uint64 may do as int64
 * @throws {UnsupportedModel} if no such type has a kernel
 */
export function onKernel(
  node: GraphNode,
  onnx: OnnxGraph,
  operation: GappyOperation,
  dtype: DType,
  tensors: readonly string[],
  build: (tensors: readonly string[], carrier: DType) => string,
  { modular = false } = {},
): string {
  const carrier = carrierOf(node, operation, dtype, modular);
  if (carrier === dtype) return build(tensors, carrier);
  const carried = tensors.map((tensor) => onnx.cast(tensor, carrier));
  return onnx.cast(build(carried, carrier), dtype);
}

/** The type in which {@link onKernel} computes. @throws {UnsupportedModel} if there is no such type */
export function carrierOf(node: GraphNode, operation: GappyOperation, dtype: DType, modular = false): DType {
  const missing: readonly DType[] = MISSING_KERNELS[operation];
  const wider = dtype === 'uint64' && modular ? ['int64' as const] : (WIDER[dtype] ?? []);
  const carrier = [dtype, ...wider].find((type) => !missing.includes(type));
  if (carrier === undefined) throw unsupported(node, dtype);
  return carrier;
}

/**
 * Casts integers to another integer type, with wrap-around. onnxruntime would fuse this cast with a preceding cast from float, and the
 * fused cast does not wrap around; the no-op between the two prevents that.
 */
export function castIntegers(onnx: OnnxGraph, integers: string, from: DType, to: DType): string {
  const none = onnx.scalar(from, 0);
  return onnx.cast(onnx.op('BitwiseOr', integers, none), to);
}

/** Maps uint64 to int64 so that the order is kept: 0 becomes the smallest int64. */
export function inOrderOfInt64(onnx: OnnxGraph, integers: string): string {
  return onnx.op('Add', castIntegers(onnx, integers, 'uint64', 'int64'), onnx.scalar('int64', -(2 ** 63)));
}

/** The inverse of {@link inOrderOfInt64}. */
export function outOfOrderOfInt64(onnx: OnnxGraph, integers: string): string {
  const shifted = onnx.op('Add', integers, onnx.scalar('int64', -(2 ** 63)));
  return castIntegers(onnx, shifted, 'int64', 'uint64');
}
