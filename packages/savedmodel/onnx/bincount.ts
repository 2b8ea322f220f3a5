import { boolAttr, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { allTrue, guarded } from './guard.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import { summarized } from './segments.ts';

/** How often each number below `size` occurs, or the sum of its weights; a matrix is counted row by row. */
export const bincount: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  const isDense = node.op === 'DenseBincount';
  const shape = conversion.shape(inputOf(node, 0));
  const weightCount = conversion
    .shape(inputOf(node, 2))
    ?.reduce((total, size) => (size < 0 ? NaN : total * size), 1);
  const isBinary = boolAttr(node, 'binary_output');
  if (weightCount === undefined || Number.isNaN(weightCount)) throw unsupported(node, 'weights of open size');
  if (isDense && shape === null) throw unsupported(node, 'of open rank');
  const isMatrix = isDense && shape?.length === 2;
  const values = onnx.cast(conversion.input(node), 'int64');
  const isCounted = onnx.node('GreaterOrEqual', [values, onnx.integers([0], [])]);
  const numbers = guarded(onnx, values, allTrue(onnx, isCounted), 'a number is negative');
  const given = onnx.node('Reshape', [conversion.int64Input(node, 1), onnx.integers([1])]);
  const isSize = allTrue(onnx, onnx.node('GreaterOrEqual', [given, onnx.integers([0])]));
  const size = guarded(onnx, given, isSize, 'the size is negative');
  const width = onnx.node('Add', [size, onnx.integers([1])]);
  // What is too large is counted in one column more, which is cut off.
  const isPast = onnx.node('GreaterOrEqual', [numbers, size]);
  const capped = onnx.node('Where', [isPast, size, numbers]);
  const flat = (tensor: string) => onnx.node('Reshape', [tensor, onnx.integers([-1])]);
  const rows = isMatrix
    ? onnx.node('Slice', [onnx.node('Shape', [values]), onnx.integers([0]), onnx.integers([1])])
    : onnx.integers([1]);
  const range = onnx.node('Range', [
    onnx.integers([0], []),
    onnx.node('Squeeze', [rows]),
    onnx.integers([1], []),
  ]);
  const starts = onnx.node('Mul', [onnx.node('Reshape', [range, onnx.integers([-1, 1])]), width]);
  const places = flat(isMatrix ? onnx.node('Add', [capped, starts]) : capped);
  const ones = () => onnx.node('Expand', [onnx.scalar(dtype, 1), onnx.node('Shape', [places])]);
  const weights = weightCount === 0 || isBinary ? ones() : flat(conversion.input(node, 2));
  const total = onnx.node('Mul', [rows, width]);
  const counts = summarized(onnx, weights, places, total, 'Sum', onnx.scalar(dtype, 0));
  const table = onnx.node('Reshape', [counts, onnx.node('Concat', [rows, width], { axis: 0 })], {
    allowzero: 1,
  });
  const kept = onnx.node('Slice', [table, onnx.integers([0]), size, onnx.integers([1])]);
  const result = isMatrix ? kept : onnx.node('Reshape', [kept, size], { allowzero: 1 });
  const present = () => onnx.cast(onnx.node('Greater', [result, onnx.scalar(dtype, 0)]), dtype);
  conversion.set(node, isBinary ? present() : result);
};

/** Shape of the counts, one row of them for each row of `DenseBincount`. */
export const bincountShape: ShapeRule = (known) => {
  const given = known.shape(0);
  const size = known.number(1) ?? OPEN;
  if (given === null) return null;
  return known.node.op === 'DenseBincount' && given.length === 2 ? [given[0] ?? OPEN, size] : [size];
};
