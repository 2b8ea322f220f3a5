import type { DType } from '../savedmodel/servable-model.ts';
import { guardedEach } from './guard.ts';
import { castIntegers } from './kernels.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** Smallest and largest numbers of the integer types into which TensorFlow casts no other number in one way. */
const NARROW: ReadonlyMap<DType, readonly [smallest: number, largest: number]> = new Map([
  ['int8', [-(2 ** 7), 2 ** 7 - 1]],
  ['uint8', [0, 2 ** 8 - 1]],
  ['int16', [-(2 ** 15), 2 ** 15 - 1]],
  ['uint16', [0, 2 ** 16 - 1]],
  ['uint32', [0, 2 ** 32 - 1]],
]);

/**
 * Casts floats to integers, toward zero.
 *
 * A value outside the range of int32 or int64 becomes the smallest of the type in TensorFlow on x86, and so does NaN; a uint64 is
 * an int64 that wraps around. For the other types TensorFlow casts some elements of a tensor by vector instructions and the rest
 * one by one, with different results: the run ends, because there is no single answer.
 */
export function castFloats(onnx: OnnxGraph, floats: string, from: DType, to: DType): string {
  // Half precision doesn't hold the largest integers.
  const dtype = from === 'float16' ? 'float32' : from;
  const values = from === 'float16' ? onnx.cast(floats, dtype) : floats;
  const number = (value: number) => onnx.scalar(dtype, value);
  const between = (low: number, high: number) =>
    onnx.op('And', onnx.op('Greater', values, number(low)), onnx.op('Less', values, number(high)));
  const narrow = NARROW.get(to);
  if (narrow !== undefined) {
    const [smallest, largest] = narrow;
    const fits = between(smallest - 1, largest + 1);
    return onnx.cast(guardedEach(onnx, values, fits, `a float does not fit ${to}`), to);
  }
  if (to === 'int32') return onnx.cast(fitting(onnx, values, dtype, -(2 ** 31)), to);
  if (to === 'int64') return onnx.cast(fitting(onnx, values, dtype, -(2 ** 63)), to);
  const upper = between(2 ** 63 - 1, 2 ** 64);
  const wrapped = onnx.op('Where', upper, onnx.op('Sub', values, number(2 ** 64)), values);
  return castIntegers(onnx, onnx.cast(fitting(onnx, wrapped, dtype, -(2 ** 63)), 'int64'), 'int64', to);
}

/** Keeps values that fit a signed integer type with `smallest` as its smallest number, and replaces all others by that number. */
function fitting(onnx: OnnxGraph, values: string, dtype: DType, smallest: number): string {
  const end = onnx.scalar(dtype, smallest);
  const above = onnx.op('Greater', values, onnx.scalar(dtype, smallest - 1));
  const below = onnx.op('Less', values, onnx.scalar(dtype, -smallest));
  return onnx.op('Where', onnx.op('And', above, below), values, end);
}
