import { type GraphNode, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { NOWHERE } from './gathering.ts';
import { allTrue, guarded, refuseNaN } from './guard.ts';
import { MAX_FLOAT } from './max-float.ts';
import type { OnnxGraph } from './onnx-graph.ts';

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
  const largest = MAX_FLOAT.get(dtype) ?? Infinity;
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

/** Value that changes no element of a segment. */
function identityOf(onnx: OnnxGraph, dtype: DType, summary: Summary): string {
  if (!dtype.startsWith('float') || summary === 'Sum' || summary === 'Prod')
    return emptyOf(onnx, dtype, summary);
  return onnx.scalar(dtype, summary === 'Max' ? -Infinity : Infinity);
}

/** `count` rows (a tensor of one number), each the summary of the data's rows that `ids` sends there. */
export function summarized(
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
export const unsortedSegments =
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
    const all = summarized(onnx, rows, places, more, summary, emptyOf(onnx, dtype, summary));
    conversion.set(node, onnx.node('Slice', [all, onnx.integers([0]), count, onnx.integers([0])]));
  };

/** Segments in ascending order, up to the last row's. A segment that is left out has zeros, and ones in a product. */
export const sortedSegments =
  (summary: Summary | 'Mean'): Converter =>
  (node, conversion) =>
    summarize(node, conversion, summary, conversion.input(node), conversion.input(node, 1));

/** Rows picked by index, one after the other in segments; the square root of their number divides where `Mean` takes the number. */
export const pickedSegments =
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
    summarize(node, conversion, summary, picked, conversion.input(node, 2));
  };

function summarize(
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
    summarized(onnx, of, ids, count, what, identityOf(onnx, type, what));
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
