import { bytesOfTensor, tensorOn } from '../savedmodel/dense-tensor.ts';
import { elementSizeBytes } from '../savedmodel/element-type.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';

/**
 * Joins tensors of one dtype along their first dimension; all other dimensions must be equal.
 *
 * @throws {TypeError} if the dtypes differ
 */
export function joinTensors(tensors: readonly Tensor[]): Tensor {
  const [first] = tensors;
  if (!first) throw new TypeError('nothing to join');
  if (tensors.length === 1) return first;
  const shape = [tensors.reduce((rows, tensor) => rows + (tensor.shape[0] ?? 0), 0), ...first.shape.slice(1)];
  const joined = tensors.reduce((sum, { data }) => sum + data.length, 0);
  if (first.dtype === 'string') {
    const data = tensors.flatMap((tensor) => (tensor.dtype === 'string' ? tensor.data : mixed()));
    return { dtype: 'string', shape, data };
  }
  const bytes = new Uint8Array(joined * elementSizeBytes(first.dtype));
  let at = 0;
  for (const tensor of tensors) {
    if (tensor.dtype === 'string' || tensor.dtype !== first.dtype) return mixed();
    bytes.set(bytesOfTensor(tensor), at);
    at += tensor.data.byteLength;
  }
  return tensorOn(first.dtype, shape, bytes.buffer);
}

/** The rows from `start` to `end` (exclusive), as a view of the same memory. */
export function sliceRows(tensor: Tensor, start: number, end: number): Tensor {
  const [rows = 0, ...rest] = tensor.shape;
  const rowSize = rows === 0 ? 0 : tensor.data.length / rows;
  const shape = [end - start, ...rest];
  const [from, to] = [start * rowSize, end * rowSize];
  if (tensor.dtype === 'string') return { ...tensor, shape, data: tensor.data.slice(from, to) };
  const { buffer, byteOffset, length } = tensor.data.subarray(from, to);
  return tensorOn(tensor.dtype, shape, buffer, byteOffset, length);
}

function mixed(): never {
  throw new TypeError('tensors of different dtypes cannot be joined');
}
