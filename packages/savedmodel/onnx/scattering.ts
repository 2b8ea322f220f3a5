import { boolAttr, type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { placesOf } from './gathering.ts';
import { nonNegative, refuseNaN } from './guard.ts';
import { OPEN, shapeLike, type ShapeRule } from './known-tensors.ts';
import { alike, type Family, shaped } from './operation.ts';
import { pickedSegments, sortedSegments, summarized, unsortedSegments } from './segments.ts';

/** How often each number below `size` occurs, or the sum of its weights; a matrix is counted row by row. */
const bincount: Converter = (node, conversion) => {
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
  const numbers = nonNegative(onnx, values, 'a number is negative');
  const given = onnx.op('Reshape', conversion.int64Input(node, 1), [1]);
  const size = nonNegative(onnx, given, 'the size is negative');
  const width = onnx.op('Add', size, [1]);
  // What is too large is counted in one column more, which is cut off.
  const isPast = onnx.op('GreaterOrEqual', numbers, size);
  const capped = onnx.op('Where', isPast, size, numbers);
  const flat = (tensor: string) => onnx.op('Reshape', tensor, [-1]);
  const rows = isMatrix ? onnx.op('Slice', onnx.shape(values), [0], [1]) : onnx.integers([1]);
  const range = onnx.op('Range', 0, onnx.op('Squeeze', rows), 1);
  const starts = onnx.op('Mul', onnx.op('Reshape', range, [-1, 1]), width);
  const places = flat(isMatrix ? onnx.op('Add', capped, starts) : capped);
  const ones = () => onnx.op('Expand', onnx.scalar(dtype, 1), onnx.shape(places));
  const weights = weightCount === 0 || isBinary ? ones() : flat(conversion.input(node, 2));
  const total = onnx.op('Mul', rows, width);
  const counts = summarized(onnx, weights, places, total, 'Sum', onnx.scalar(dtype, 0));
  const table = onnx.reshape(counts, onnx.join(rows, width));
  const kept = onnx.op('Slice', table, [0], size, [1]);
  const result = isMatrix ? kept : onnx.reshape(kept, size);
  const present = () => onnx.cast(onnx.op('Greater', result, onnx.scalar(dtype, 0)), dtype);
  conversion.set(node, isBinary ? present() : result);
};

/** Shape of the counts, one row of them for each row of `DenseBincount`. */
const bincountShape: ShapeRule = (known) => {
  const given = known.shape(0);
  const size = known.number(1) ?? OPEN;
  if (given === null) return null;
  return known.node.op === 'DenseBincount' && given.length === 2 ? [given[0] ?? OPEN, size] : [size];
};

type Reduction = 'none' | 'add' | 'mul' | 'max' | 'min';

/** Indices with rows that address elements or parts of the tensor. @throws {UnsupportedModel} if a row is empty */
function placesIn(node: GraphNode, conversion: Conversion, index: number): string {
  if (conversion.shape(inputOf(node, index))?.at(-1) === 0) throw unsupported(node, 'without indices');
  return placesOf(node, conversion, index);
}

const tensorScatter =
  (reduction: Reduction, sign: 1 | -1 = 1): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const places = placesIn(node, conversion, 1);
    const given = conversion.input(node, 2);
    const updates = sign === 1 ? given : onnx.op('Sub', conversion.scalar(node, 0), given);
    if (reduction === 'max' || reduction === 'min')
      refuseNaN(onnx, typeAttr(node, 'T', 'float32'), conversion.input(node), updates);
    conversion.set(node, onnx.node('ScatterND', [conversion.input(node), places, updates], { reduction }));
  };

/** Zeros of a given shape, to which updates are added. */
const scatterNd: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const places = placesIn(node, conversion, 0);
  const zeros = onnx.op('Expand', conversion.scalar(node, 0), conversion.int64Input(node, 2));
  const reduction = typeAttr(node, 'T', 'float32') === 'bool' ? 'none' : 'add';
  conversion.set(node, onnx.node('ScatterND', [zeros, places, conversion.input(node, 1)], { reduction }));
};

const unsortedShape: ShapeRule = (known) => {
  const [data, ids] = [known.shape(0), known.shape(1)];
  return data && ids && [known.number(2) ?? OPEN, ...data.slice(ids.length)];
};

const sortedShape: ShapeRule = (known) => {
  const data = known.shape(0);
  return data && [OPEN, ...data.slice(1)];
};

/** Operations that send elements where indices say. */
export const SCATTERINGS: Family = {
  title: 'Elements sent by index, segments, counts',
  takes: 'all numbers',
  limits: [
    ['SegmentMean SparseSegmentMean SparseSegmentSqrtN', 'floats'],
    [
      'SegmentMax SegmentMin UnsortedSegmentMax UnsortedSegmentMin TensorScatterMax TensorScatterMin',
      'NaN fails the request: what TensorFlow makes of it depends on the order',
    ],
    ['SegmentMax SegmentMin', 'float32, float64, int32, int64'],
    ['Bincount DenseBincount', 'the size of the weights must be known'],
    ['', 'an index out of range fails the request, as in TensorFlow on a CPU'],
  ],
  operations: {
    ...shaped(shapeLike(0), {
      TensorScatterUpdate: tensorScatter('none'),
      TensorScatterAdd: tensorScatter('add'),
      TensorScatterSub: tensorScatter('add', -1),
      TensorScatterMax: tensorScatter('max'),
      TensorScatterMin: tensorScatter('min'),
    }),
    ScatterNd: [scatterNd, (known) => known.sizes(2)],
    ...shaped(unsortedShape, {
      UnsortedSegmentSum: unsortedSegments('Sum'),
      UnsortedSegmentProd: unsortedSegments('Prod'),
      UnsortedSegmentMax: unsortedSegments('Max'),
      UnsortedSegmentMin: unsortedSegments('Min'),
    }),
    ...shaped(sortedShape, {
      SegmentSum: sortedSegments('Sum'),
      SegmentProd: sortedSegments('Prod'),
      SegmentMax: sortedSegments('Max'),
      SegmentMin: sortedSegments('Min'),
      SegmentMean: sortedSegments('Mean'),
      SparseSegmentSum: pickedSegments('Sum'),
      SparseSegmentMean: pickedSegments('Mean'),
      SparseSegmentSqrtN: pickedSegments('SqrtN'),
    }),
    ...alike('Bincount DenseBincount', bincount, bincountShape),
  },
};
