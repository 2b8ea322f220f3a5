import { type DenseTensor, tensorOn } from '../savedmodel/dense-tensor.ts';
import { type DType, InvalidFeeds, type Tensor, UnsupportedModel } from '../savedmodel/servable-model.ts';

/**
 * Element types that the host computes with. 64-bit integers are held in doubles, exact up to 2^53. Strings are held as
 * their numbers in a table that the run keeps, so that whatever moves elements moves strings too.
 */
export type HostDType = Exclude<DType, 'float16'>;

type NumberArray =
  Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

/** A tensor on which the host evaluates TensorFlow operations itself: shapes, weights, one image. */
export interface HostTensor {
  readonly dtype: HostDType;
  readonly shape: readonly number[];
  readonly data: NumberArray;
}

/** Outputs of a node; most have only one. */
export function asList(results: HostTensor | readonly HostTensor[]): readonly HostTensor[] {
  return 'dtype' in results ? [results] : results;
}

/** No intermediate result on the host may be larger. */
const MAX_ELEMENTS = 2 ** 28;

/** Elements of a shape. @throws {InvalidFeeds} if no tensor has it, or one of more elements than the host wants to hold */
export function sizeOf(shape: readonly number[]): number {
  const size = shape.reduce((product, dimension) => product * dimension, 1);
  if (!shape.every((dimension) => Number.isInteger(dimension) && dimension >= 0))
    throw new InvalidFeeds(`No tensor has the shape [${shape.join(', ')}]`);
  if (size > MAX_ELEMENTS) throw new InvalidFeeds(`A tensor of shape [${shape.join(', ')}] is too large`);
  return size;
}

/** A tensor of zeros, to be filled by the caller. */
export function newHostTensor(dtype: HostDType, shape: readonly number[]): HostTensor {
  return { dtype, shape, data: new ARRAYS[dtype](sizeOf(shape)) };
}

/** The values, converted to the element type. */
export function hostTensorOf(
  dtype: HostDType,
  shape: readonly number[],
  values: ArrayLike<number>,
): HostTensor {
  const tensor = newHostTensor(dtype, shape);
  tensor.data.set(values);
  return tensor;
}

const ARRAYS: Readonly<Record<HostDType, new (size: number) => NumberArray>> = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  string: Int32Array,
  uint32: Uint32Array,
  int64: Float64Array,
  uint64: Float64Array,
};

/** Whether doubles hold every element exactly, which they do not for integers above 2^53. */
export function isExactOnHost(tensor: { readonly dtype: DType; readonly data: Iterable<unknown> }): boolean {
  const { dtype, data } = tensor;
  if (dtype !== 'int64' && dtype !== 'uint64') return true;
  for (const element of data) if (!Number.isSafeInteger(Number(element))) return false;
  return true;
}

/** @throws {UnsupportedModel} for half precision, and for strings, which need a table */
export function toHostTensor(tensor: Tensor): HostTensor {
  switch (tensor.dtype) {
    case 'string':
    case 'float16':
      throw new UnsupportedModel([`host arithmetic on ${tensor.dtype}`]);
    case 'int64':
    case 'uint64':
      return { dtype: tensor.dtype, shape: tensor.shape, data: Float64Array.from(tensor.data, Number) };
    default:
      return tensor;
  }
}

/** Shares the elements where it can. @throws {UnsupportedModel} for strings */
export function fromHostTensor({ dtype, shape, data }: HostTensor): DenseTensor {
  if (dtype === 'string') throw new UnsupportedModel(['strings computed on the host']);
  if (dtype === 'int64') return { dtype, shape, data: BigInt64Array.from(data, BigInt) };
  if (dtype === 'uint64') return { dtype, shape, data: BigUint64Array.from(data, BigInt) };
  const own = data instanceof ARRAYS[dtype] ? data : hostTensorOf(dtype, [data.length], data).data;
  return tensorOn(dtype, shape, own.buffer, own.byteOffset, own.length);
}
