import type { Tensor } from './servable-model.ts';

/** Types of elements that are made of numbers as they are; halves are made by `toHalves`, strings of bytes. */
type NumberType = Exclude<Tensor['dtype'], 'float16' | 'string'>;

/** A tensor of numbers in row-major order; truth values are 0 and 1. @throws {RangeError} for a fraction in a 64-bit type */
export function tensorOfNumbers(
  dtype: NumberType,
  shape: readonly number[],
  values: readonly (number | bigint)[],
): Tensor {
  switch (dtype) {
    case 'float32':
      return { dtype, shape, data: Float32Array.from(values, Number) };
    case 'float64':
      return { dtype, shape, data: Float64Array.from(values, Number) };
    case 'int8':
      return { dtype, shape, data: Int8Array.from(values, Number) };
    case 'uint8':
    case 'bool':
      return { dtype, shape, data: Uint8Array.from(values, Number) };
    case 'int16':
      return { dtype, shape, data: Int16Array.from(values, Number) };
    case 'uint16':
      return { dtype, shape, data: Uint16Array.from(values, Number) };
    case 'int32':
      return { dtype, shape, data: Int32Array.from(values, Number) };
    case 'uint32':
      return { dtype, shape, data: Uint32Array.from(values, Number) };
    case 'int64':
      return { dtype, shape, data: BigInt64Array.from(values, BigInt) };
    case 'uint64':
      return { dtype, shape, data: BigUint64Array.from(values, BigInt) };
  }
}
