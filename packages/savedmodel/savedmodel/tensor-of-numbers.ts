import { zeroTensor } from './dense-tensor.ts';
import type { Tensor } from './servable-model.ts';

/** Types of elements that are made of numbers as they are; halves are made by `toHalves`, strings of bytes. */
type NumberType = Exclude<Tensor['dtype'], 'float16' | 'string'>;

/** A tensor of numbers in row-major order; truth values are 0 and 1. @throws {RangeError} for a fraction in a 64-bit type */
export function tensorOfNumbers(
  dtype: NumberType,
  shape: readonly number[],
  values: readonly (number | bigint)[],
): Tensor {
  const tensor = zeroTensor(dtype, shape);
  if (tensor.dtype === 'int64' || tensor.dtype === 'uint64') tensor.data.set(values.map(BigInt));
  else tensor.data.set(values.map(Number));
  return tensor;
}
