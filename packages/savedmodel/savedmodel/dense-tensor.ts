import { elementSizeBytes } from './element-type.ts';
import { BrokenModel, type DType, type Tensor } from './servable-model.ts';

/** A tensor of elements of a fixed size. */
export type DenseTensor = Exclude<Tensor, { dtype: 'string' }>;

/** No tensor of a model may be larger; a damaged shape would otherwise ask for terabytes. */
const MAX_TENSOR_BYTES = 2 ** 31;

/**
 * The number of elements of a shape.
 *
 * @throws {BrokenModel} if a dimension is negative or the tensor would exceed {@link MAX_TENSOR_BYTES}
 */
export function elementCount(shape: readonly number[], where: string): number {
  let count = 1;
  for (const size of shape) {
    if (!Number.isSafeInteger(size) || size < 0)
      throw new BrokenModel(`${where}: shape [${shape.join(', ')}]`);
    count *= size;
  }
  if (count > MAX_TENSOR_BYTES) throw new BrokenModel(`${where}: ${count} elements are too many`);
  return count;
}

/**
 * A tensor from its elements' bytes in little-endian order, copied so that they are aligned.
 *
 * @throws {BrokenModel} if there are too few or too many bytes
 */
export function tensorOfBytes(
  dtype: Exclude<DType, 'string'>,
  shape: readonly number[],
  bytes: Uint8Array,
  where: string,
): DenseTensor {
  const expected = elementCount(shape, where) * elementSizeBytes(dtype);
  if (bytes.length !== expected)
    throw new BrokenModel(
      `${where}: ${dtype} [${shape.join(', ')}] needs ${expected} bytes, has ${bytes.length}`,
    );
  return tensorOn(dtype, shape, Uint8Array.from(bytes).buffer);
}

/** A tensor of zeros, or of false. */
export function zeroTensor(dtype: Exclude<DType, 'string'>, shape: readonly number[]): DenseTensor {
  const count = shape.reduce((product, size) => product * size, 1);
  return tensorOn(dtype, shape, new ArrayBuffer(count * elementSizeBytes(dtype)));
}

/** A tensor with the memory of `count` elements from byte `from` on; it is shared, not copied. */
export function tensorOn(
  dtype: Exclude<DType, 'string'>,
  shape: readonly number[],
  buffer: ArrayBufferLike,
  from = 0,
  count?: number,
): DenseTensor {
  switch (dtype) {
    case 'float32':
      return { dtype, shape, data: new Float32Array(buffer, from, count) };
    case 'float64':
      return { dtype, shape, data: new Float64Array(buffer, from, count) };
    case 'int8':
      return { dtype, shape, data: new Int8Array(buffer, from, count) };
    case 'uint8':
    case 'bool':
      return { dtype, shape, data: new Uint8Array(buffer, from, count) };
    case 'int16':
      return { dtype, shape, data: new Int16Array(buffer, from, count) };
    case 'uint16':
    case 'float16':
      return { dtype, shape, data: new Uint16Array(buffer, from, count) };
    case 'int32':
      return { dtype, shape, data: new Int32Array(buffer, from, count) };
    case 'uint32':
      return { dtype, shape, data: new Uint32Array(buffer, from, count) };
    case 'int64':
      return { dtype, shape, data: new BigInt64Array(buffer, from, count) };
    case 'uint64':
      return { dtype, shape, data: new BigUint64Array(buffer, from, count) };
  }
}

/** The elements' bytes in little-endian order; a view, not a copy. */
export function bytesOfTensor(tensor: DenseTensor): Uint8Array {
  return new Uint8Array(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);
}
