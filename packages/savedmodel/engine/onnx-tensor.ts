import { tensorOn } from '../savedmodel/dense-tensor.ts';
import type { DType, Tensor } from '../savedmodel/servable-model.ts';
import { halfToNumber, toHalves } from './half-precision.ts';
import { type OnnxValue, Tensor as OnnxTensor } from './onnxruntime.ts';

/** A tensor as onnxruntime takes it; its elements are shared, not copied. */
export function toOnnxTensor(tensor: Tensor): OnnxTensor {
  const { dtype, data, shape } = tensor;
  if (dtype === 'string') return new OnnxTensor(dtype, data.map(toText), shape);
  // onnxruntime-node takes no halves where the runtime has arrays of them.
  if (dtype === 'float16') return new OnnxTensor('float32', Float32Array.from(data, halfToNumber), shape);
  return new OnnxTensor(dtype, data, shape);
}

/** A tensor of onnxruntime's value for an output of type `dtype`. @throws {TypeError} if it is of another type */
export function fromOnnxValue(value: OnnxValue | undefined, dtype: DType): Tensor {
  if (value === undefined || !('data' in value)) throw new TypeError('onnxruntime gave no tensor');
  const { data, dims: shape, type } = value;
  if (dtype === 'float16' && data instanceof Float32Array) return { dtype, shape, data: toHalves(data) };
  if (dtype === 'string' && Array.isArray(data))
    return { dtype, shape, data: data.map((text) => Buffer.from(text)) };
  if (dtype === type && dtype !== 'string' && dtype !== 'float16' && !Array.isArray(data))
    return tensorOn(dtype, shape, data.buffer, data.byteOffset, data.length);
  throw new TypeError(`onnxruntime gave ${type} for an output of ${dtype}`);
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
