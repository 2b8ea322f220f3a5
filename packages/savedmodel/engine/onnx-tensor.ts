import type { DType, Tensor } from '../savedmodel/servable-model.ts';
import { halfToNumber, toHalves } from './half-precision.ts';
import { type OnnxValue, Tensor as OnnxTensor } from './onnxruntime.ts';

/** A tensor as onnxruntime takes it; its elements are shared, not copied. */
export function toOnnxTensor(tensor: Tensor): OnnxTensor {
  switch (tensor.dtype) {
    case 'string':
      return new OnnxTensor('string', tensor.data.map(toText), tensor.shape);
    case 'float32':
      return new OnnxTensor('float32', tensor.data, tensor.shape);
    case 'float64':
      return new OnnxTensor('float64', tensor.data, tensor.shape);
    case 'float16':
      // onnxruntime-node takes no halves where the runtime has arrays of them.
      return new OnnxTensor('float32', Float32Array.from(tensor.data, halfToNumber), tensor.shape);
    case 'int8':
      return new OnnxTensor('int8', tensor.data, tensor.shape);
    case 'uint8':
      return new OnnxTensor('uint8', tensor.data, tensor.shape);
    case 'bool':
      return new OnnxTensor('bool', tensor.data, tensor.shape);
    case 'int16':
      return new OnnxTensor('int16', tensor.data, tensor.shape);
    case 'uint16':
      return new OnnxTensor('uint16', tensor.data, tensor.shape);
    case 'int32':
      return new OnnxTensor('int32', tensor.data, tensor.shape);
    case 'uint32':
      return new OnnxTensor('uint32', tensor.data, tensor.shape);
    case 'int64':
      return new OnnxTensor('int64', tensor.data, tensor.shape);
    case 'uint64':
      return new OnnxTensor('uint64', tensor.data, tensor.shape);
  }
}

/** A tensor of onnxruntime's value for an output of type `dtype`. @throws {TypeError} if it is of another type */
export function fromOnnxValue(value: OnnxValue | undefined, dtype: DType): Tensor {
  if (value === undefined || !('data' in value)) throw new TypeError('onnxruntime gave no tensor');
  const { data, dims: shape } = value;
  if (dtype === 'float32' && data instanceof Float32Array) return { dtype, shape, data };
  if (dtype === 'float64' && data instanceof Float64Array) return { dtype, shape, data };
  if (dtype === 'int8' && data instanceof Int8Array) return { dtype, shape, data };
  if ((dtype === 'uint8' || dtype === 'bool') && data instanceof Uint8Array) return { dtype, shape, data };
  if (dtype === 'int16' && data instanceof Int16Array) return { dtype, shape, data };
  if (dtype === 'uint16' && data instanceof Uint16Array) return { dtype, shape, data };
  if (dtype === 'float16' && data instanceof Float32Array) return { dtype, shape, data: toHalves(data) };
  if (dtype === 'int32' && data instanceof Int32Array) return { dtype, shape, data };
  if (dtype === 'uint32' && data instanceof Uint32Array) return { dtype, shape, data };
  if (dtype === 'int64' && data instanceof BigInt64Array) return { dtype, shape, data };
  if (dtype === 'uint64' && data instanceof BigUint64Array) return { dtype, shape, data };
  if (dtype === 'string' && Array.isArray(data))
    return { dtype, shape, data: data.map((text) => Buffer.from(text)) };
  throw new TypeError(`onnxruntime gave ${value.type} for an output of ${dtype}`);
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
