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
  const size = tensors.reduce((length, { data }) => length + data.length, 0);
  switch (first.dtype) {
    case 'string':
      return {
        dtype: 'string',
        shape,
        data: tensors.flatMap((tensor) => (tensor.dtype === 'string' ? tensor.data : mixed())),
      };
    case 'float32':
      return { dtype: 'float32', shape, data: fill(new Float32Array(size), tensors) };
    case 'float64':
      return { dtype: 'float64', shape, data: fill(new Float64Array(size), tensors) };
    case 'int8':
      return { dtype: 'int8', shape, data: fill(new Int8Array(size), tensors) };
    case 'int16':
      return { dtype: 'int16', shape, data: fill(new Int16Array(size), tensors) };
    case 'int32':
      return { dtype: 'int32', shape, data: fill(new Int32Array(size), tensors) };
    case 'uint8':
    case 'bool':
      return { dtype: first.dtype, shape, data: fill(new Uint8Array(size), tensors) };
    case 'uint16':
    case 'float16':
      return { dtype: first.dtype, shape, data: fill(new Uint16Array(size), tensors) };
    case 'uint32':
      return { dtype: 'uint32', shape, data: fill(new Uint32Array(size), tensors) };
    case 'int64':
      return { dtype: 'int64', shape, data: fillBig(new BigInt64Array(size), tensors) };
    case 'uint64':
      return { dtype: 'uint64', shape, data: fillBig(new BigUint64Array(size), tensors) };
  }
}

/** The rows from `start` to `end` (exclusive), as a view of the same memory. */
export function sliceRows(tensor: Tensor, start: number, end: number): Tensor {
  const [rows = 0, ...rest] = tensor.shape;
  const rowSize = rows === 0 ? 0 : tensor.data.length / rows;
  const shape = [end - start, ...rest];
  const [from, to] = [start * rowSize, end * rowSize];
  switch (tensor.dtype) {
    case 'string':
      return { ...tensor, shape, data: tensor.data.slice(from, to) };
    case 'float32':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'float64':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'int8':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'int16':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'int32':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'uint8':
    case 'bool':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'uint16':
    case 'float16':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'uint32':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'int64':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
    case 'uint64':
      return { ...tensor, shape, data: tensor.data.subarray(from, to) };
  }
}

function fill<T extends { set(from: ArrayLike<number>, at: number): void }>(
  target: T,
  tensors: readonly Tensor[],
): T {
  let at = 0;
  for (const { dtype, data } of tensors) {
    if (dtype === 'string' || dtype === 'int64' || dtype === 'uint64') return mixed();
    target.set(data, at);
    at += data.length;
  }
  return target;
}

function fillBig<T extends { set(from: ArrayLike<bigint>, at: number): void }>(
  target: T,
  tensors: readonly Tensor[],
): T {
  let at = 0;
  for (const { dtype, data } of tensors) {
    if (dtype !== 'int64' && dtype !== 'uint64') return mixed();
    target.set(data, at);
    at += data.length;
  }
  return target;
}

function mixed(): never {
  throw new TypeError('tensors of different dtypes cannot be joined');
}
