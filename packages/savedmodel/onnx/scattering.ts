import { boolAttr, type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { NOWHERE, placesOf } from './gathering.ts';
import { allTrue, asserted, guarded } from './guard.ts';
import { LARGEST_FLOAT } from './largest-float.ts';
import type { OnnxGraph } from './onnx-graph.ts';

type Reduction = 'none' | 'add' | 'mul' | 'max' | 'min';

/** Indices whose rows are elements or parts of the tensor. @throws {UnsupportedModel} where a row has none */
function placesIn(node: GraphNode, conversion: Conversion, index: number): string {
  if (conversion.shape(inputOf(node, index))?.at(-1) === 0) throw unsupported(node, 'without indices');
  return placesOf(node, conversion, index);
}

/** Whether it is the largest or the smallest depends on the order of elements, in which TensorFlow and onnxruntime differ. */
function refuseNaN(onnx: OnnxGraph, dtype: DType, ...tensors: readonly string[]): void {
  if (!dtype.startsWith('float')) return;
  for (const tensor of tensors) {
    const areNumbers = allTrue(onnx, onnx.node('Not', [onnx.node('IsNaN', [tensor])]));
    asserted(onnx, areNumbers, 'a value is not a number');
  }
}

const tensorScatter =
  (reduction: Reduction, sign: 1 | -1 = 1): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const places = placesIn(node, conversion, 1);
    const given = conversion.input(node, 2);
    const updates = sign === 1 ? given : onnx.node('Sub', [conversion.scalar(node, 0), given]);
    if (reduction === 'max' || reduction === 'min')
      refuseNaN(onnx, typeAttr(node, 'T', 'float32'), conversion.input(node), updates);
    conversion.set(node, onnx.node('ScatterND', [conversion.input(node), places, updates], { reduction }));
  };

/** Zeros of a given shape, to which updates are added. */
const scatterNd: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const places = placesIn(node, conversion, 0);
  const zeros = onnx.node('Expand', [conversion.scalar(node, 0), conversion.int64Input(node, 2)]);
  const reduction = typeAttr(node, 'T', 'float32') === 'bool' ? 'none' : 'add';
  conversion.set(node, onnx.node('ScatterND', [zeros, places, conversion.input(node, 1)], { reduction }));
};

/** The smallest or largest finite number of a type, which is what TensorFlow takes for the extreme of no elements. */
function endOf(onnx: OnnxGraph, dtype: DType, end: 'smallest' | 'largest'): string {
  const isSmallest = end === 'smallest';
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(dtype) ?? [];
  if (bits === '64') {
    if (sign === 'u') {
      const value = isSmallest ? 0n : 2n ** 64n - 1n;
      return onnx.constant({ dtype: 'uint64', shape: [], data: BigUint64Array.of(value) });
    }
    const value = isSmallest ? -(2n ** 63n) : 2n ** 63n - 1n;
    return onnx.constant({ dtype: 'int64', shape: [], data: BigInt64Array.of(value) });
  }
  if (bits !== undefined) {
    const count = 2 ** Number(bits);
    const low = sign === 'u' ? 0 : -count / 2;
    return onnx.scalar(dtype, isSmallest ? low : low + count - 1);
  }
  const largest = LARGEST_FLOAT.get(dtype) ?? Infinity;
  return onnx.scalar(dtype, isSmallest ? -largest : largest);
}

type Summary = 'Sum' | 'Prod' | 'Max' | 'Min';

const REDUCTIONS = { Sum: 'add', Prod: 'mul', Max: 'max', Min: 'min' } as const;

/** The value of a segment without elements, which is finite. */
function emptyOf(onnx: OnnxGraph, dtype: DType, summary: Summary): string {
  if (summary === 'Max') return endOf(onnx, dtype, 'smallest');
  if (summary === 'Min') return endOf(onnx, dtype, 'largest');
  return onnx.scalar(dtype, summary === 'Sum' ? 0 : 1);
}

/** What changes no element of a segment. */
function identityOf(onnx: OnnxGraph, dtype: DType, summary: Summary): string {
  if (!dtype.startsWith('float') || summary === 'Sum' || summary === 'Prod')
    return emptyOf(onnx, dtype, summary);
  return onnx.scalar(dtype, summary === 'Max' ? -Infinity : Infinity);
}

/** `count` rows (a tensor of one number), each the summary of the data's rows that `ids` sends there. */
function summarised(
  onnx: OnnxGraph,
  data: string,
  ids: string,
  count: string,
  summary: Summary,
  identity: string,
): string {
  const rest = onnx.node('Slice', [onnx.node('Shape', [data]), onnx.integers([1]), onnx.integers([NOWHERE])]);
  const shape = onnx.node('Concat', [count, rest], { axis: 0 });
  const places = onnx.node('Unsqueeze', [ids, onnx.integers([-1])]);
  const empty = onnx.node('Expand', [identity, shape]);
  return onnx.node('ScatterND', [empty, places, data], { reduction: REDUCTIONS[summary] });
}

/** Rows with a negative segment are dropped: they go to one row more, which is cut off. */
const unsortedSegments =
  (summary: Summary): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const dtype = typeAttr(node, 'T', 'float32');
    const data = conversion.input(node);
    const ids = onnx.cast(conversion.input(node, 1), 'int64');
    const shape = onnx.node('Shape', [data]);
    const idsShape = onnx.node('Shape', [ids]);
    const rank = onnx.node('Shape', [idsShape]);
    const begin = onnx.node('Slice', [shape, onnx.integers([0]), rank]);
    const fits = allTrue(onnx, onnx.node('Equal', [begin, idsShape]));
    const rest = onnx.node('Slice', [shape, rank, onnx.integers([NOWHERE])]);
    const size = onnx.node('Reshape', [onnx.node('Size', [ids]), onnx.integers([1])]);
    const rows = onnx.node('Reshape', [data, onnx.node('Concat', [size, rest], { axis: 0 })], {
      allowzero: 1,
    });
    const flat = onnx.node('Reshape', [
      guarded(onnx, ids, fits, 'the segments do not fit the data'),
      onnx.integers([-1]),
    ]);
    const given = onnx.node('Reshape', [conversion.int64Input(node, 2), onnx.integers([1])]);
    const isCount = onnx.node('GreaterOrEqual', [given, onnx.integers([0])]);
    const count = guarded(onnx, given, allTrue(onnx, isCount), 'the number of segments is negative');
    const isNone = onnx.node('Less', [flat, onnx.integers([0])]);
    const isPast = onnx.node('GreaterOrEqual', [flat, count]);
    const inside = onnx.node('Where', [isPast, onnx.integers([NOWHERE]), flat]);
    const places = onnx.node('Where', [isNone, count, inside]);
    const more = onnx.node('Add', [count, onnx.integers([1])]);
    if (summary === 'Max' || summary === 'Min') refuseNaN(onnx, dtype, data);
    const all = summarised(onnx, rows, places, more, summary, emptyOf(onnx, dtype, summary));
    conversion.set(node, onnx.node('Slice', [all, onnx.integers([0]), count, onnx.integers([0])]));
  };

/** Segments in ascending order, up to the last row's. A segment that is left out has zeros, and ones in a product. */
const sortedSegments =
  (summary: Summary | 'Mean'): Converter =>
  (node, conversion) =>
    summarise(node, conversion, summary, conversion.input(node), conversion.input(node, 1));

/** Rows picked by index, one after the other in segments; the square root of their number divides where `Mean` takes the number. */
const pickedSegments =
  (summary: 'Sum' | 'Mean' | 'SqrtN'): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const [data, given] = [conversion.input(node), onnx.cast(conversion.input(node, 1), 'int64')];
    const rows = onnx.node('Gather', [onnx.node('Shape', [data]), onnx.integers([0])]);
    const fits = onnx.node('And', [
      allTrue(onnx, onnx.node('GreaterOrEqual', [given, onnx.integers([0])])),
      allTrue(onnx, onnx.node('Less', [given, rows])),
    ]);
    const picked = onnx.node('Gather', [data, guarded(onnx, given, fits, 'an index is out of range')]);
    summarise(node, conversion, summary, picked, conversion.input(node, 2));
  };

function summarise(
  node: GraphNode,
  conversion: Conversion,
  summary: Summary | 'Mean' | 'SqrtN',
  data: string,
  segments: string,
): void {
  const { onnx } = conversion;
  const isAverage = summary === 'Mean' || summary === 'SqrtN';
  const dtype = typeAttr(node, 'T', 'float32');
  const given = onnx.cast(segments, 'int64');
  const [none, one, last] = [onnx.integers([0]), onnx.integers([1]), onnx.integers([-1])];
  const before = onnx.node('Slice', [onnx.node('Concat', [none, given], { axis: 0 }), none, last]);
  const isSorted = onnx.node('GreaterOrEqual', [given, before]);
  const rows = onnx.node('Slice', [onnx.node('Shape', [data]), none, one]);
  const isEach = onnx.node('Equal', [onnx.node('Shape', [given]), rows]);
  const fits = allTrue(onnx, onnx.node('Concat', [isSorted, isEach], { axis: 0 }));
  const ids = guarded(onnx, given, fits, 'the segments are not one for each row in ascending order');
  const numbered = onnx.node('Concat', [last, ids], { axis: 0 });
  const count = onnx.node('Add', [onnx.node('Gather', [numbered, last]), one]);
  const reduce = (of: string, what: Summary, type: DType) =>
    summarised(onnx, of, ids, count, what, identityOf(onnx, type, what));
  if (summary === 'Max' || summary === 'Min') refuseNaN(onnx, dtype, data);
  const filled = reduce(data, isAverage ? 'Sum' : summary, dtype);
  if (summary === 'Sum' || summary === 'Prod') {
    conversion.set(node, filled);
    return;
  }
  const ones = onnx.node('Expand', [onnx.scalar(dtype, 1), onnx.node('Shape', [data])]);
  const counts = reduce(ones, 'Sum', dtype);
  const isEmpty = onnx.node('Equal', [counts, onnx.scalar(dtype, 0)]);
  if (isAverage) {
    if (!dtype.startsWith('float')) throw unsupported(node, dtype);
    const divisor = onnx.node('Where', [isEmpty, onnx.scalar(dtype, 1), counts]);
    const divided = summary === 'Mean' ? divisor : onnx.node('Sqrt', [divisor]);
    conversion.set(node, onnx.node('Div', [filled, divided]));
    return;
  }
  if (dtype !== 'float32' && dtype !== 'float64' && dtype !== 'int32' && dtype !== 'int64')
    throw unsupported(node, dtype);
  conversion.set(node, onnx.node('Where', [isEmpty, onnx.scalar(dtype, 0), filled]));
}

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
  const counts = summarised(onnx, weights, places, total, 'Sum', onnx.scalar(dtype, 0));
  const table = onnx.node('Reshape', [counts, onnx.node('Concat', [rows, width], { axis: 0 })], {
    allowzero: 1,
  });
  const kept = onnx.node('Slice', [table, onnx.integers([0]), size, onnx.integers([1])]);
  const result = isMatrix ? kept : onnx.node('Reshape', [kept, size], { allowzero: 1 });
  const present = () => onnx.cast(onnx.node('Greater', [result, onnx.scalar(dtype, 0)]), dtype);
  conversion.set(node, isBinary ? present() : result);
};

/** Operations that send elements where indices say. */
export const SCATTERINGS: Readonly<Record<string, Converter>> = {
  TensorScatterUpdate: tensorScatter('none'),
  TensorScatterAdd: tensorScatter('add'),
  TensorScatterSub: tensorScatter('add', -1),
  TensorScatterMax: tensorScatter('max'),
  TensorScatterMin: tensorScatter('min'),
  ScatterNd: scatterNd,
  UnsortedSegmentSum: unsortedSegments('Sum'),
  UnsortedSegmentProd: unsortedSegments('Prod'),
  UnsortedSegmentMax: unsortedSegments('Max'),
  UnsortedSegmentMin: unsortedSegments('Min'),
  SegmentSum: sortedSegments('Sum'),
  SegmentProd: sortedSegments('Prod'),
  SegmentMax: sortedSegments('Max'),
  SegmentMin: sortedSegments('Min'),
  SegmentMean: sortedSegments('Mean'),
  SparseSegmentSum: pickedSegments('Sum'),
  SparseSegmentMean: pickedSegments('Mean'),
  SparseSegmentSqrtN: pickedSegments('SqrtN'),
  Bincount: bincount,
  DenseBincount: bincount,
};
