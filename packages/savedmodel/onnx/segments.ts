import { type GraphNode, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { NOWHERE } from './gathering.ts';
import { allTrue, guarded, guardedEach, nonNegative, refuseNaN } from './guard.ts';
import { MAX_FLOAT } from './kernels.ts';
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
  const rest = onnx.op('Slice', onnx.shape(data), [1], [NOWHERE]);
  const shape = onnx.join(count, rest);
  const places = onnx.op('Unsqueeze', ids, [-1]);
  const empty = onnx.op('Expand', identity, shape);
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
    const shape = onnx.shape(data);
    const idsShape = onnx.shape(ids);
    const rank = onnx.shape(idsShape);
    const begin = onnx.op('Slice', shape, [0], rank);
    const fits = allTrue(onnx, onnx.op('Equal', begin, idsShape));
    const rest = onnx.op('Slice', shape, rank, [NOWHERE]);
    const size = onnx.op('Reshape', onnx.op('Size', ids), [1]);
    const rows = onnx.reshape(data, onnx.join(size, rest));
    const flat = onnx.op('Reshape', guarded(onnx, ids, fits, 'the segments do not fit the data'), [-1]);
    const given = onnx.op('Reshape', conversion.int64Input(node, 2), [1]);
    const count = nonNegative(onnx, given, 'the number of segments is negative');
    const isNone = onnx.op('Less', flat, [0]);
    const isPast = onnx.op('GreaterOrEqual', flat, count);
    const inside = onnx.op('Where', isPast, [NOWHERE], flat);
    const places = onnx.op('Where', isNone, count, inside);
    const more = onnx.op('Add', count, [1]);
    if (summary === 'Max' || summary === 'Min') refuseNaN(onnx, dtype, data);
    const all = summarized(onnx, rows, places, more, summary, emptyOf(onnx, dtype, summary));
    conversion.set(node, onnx.op('Slice', all, [0], count, [0]));
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
    const rows = onnx.op('Gather', onnx.shape(data), [0]);
    const fits = onnx.op(
      'And',
      allTrue(onnx, onnx.op('GreaterOrEqual', given, [0])),
      allTrue(onnx, onnx.op('Less', given, rows)),
    );
    const picked = onnx.op('Gather', data, guarded(onnx, given, fits, 'an index is out of range'));
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
  const before = onnx.op('Slice', onnx.join([0], given), [0], [-1]);
  const isSorted = onnx.op('GreaterOrEqual', given, before);
  const rows = onnx.op('Slice', onnx.shape(data), [0], [1]);
  const isEach = onnx.op('Equal', onnx.shape(given), rows);
  const fits = onnx.join(isSorted, isEach);
  const ids = guardedEach(onnx, given, fits, 'the segments are not one for each row in ascending order');
  const numbered = onnx.join([-1], ids);
  const count = onnx.op('Add', onnx.op('Gather', numbered, [-1]), [1]);
  const reduce = (of: string, what: Summary, type: DType) =>
    summarized(onnx, of, ids, count, what, identityOf(onnx, type, what));
  if (summary === 'Max' || summary === 'Min') refuseNaN(onnx, dtype, data);
  const filled = reduce(data, isAverage ? 'Sum' : summary, dtype);
  if (summary === 'Sum' || summary === 'Prod') {
    conversion.set(node, filled);
    return;
  }
  const ones = onnx.op('Expand', onnx.scalar(dtype, 1), onnx.shape(data));
  const counts = reduce(ones, 'Sum', dtype);
  const isEmpty = onnx.op('Equal', counts, onnx.scalar(dtype, 0));
  if (isAverage) {
    if (!dtype.startsWith('float')) throw unsupported(node, dtype);
    const divisor = onnx.op('Where', isEmpty, onnx.scalar(dtype, 1), counts);
    const divided = summary === 'Mean' ? divisor : onnx.op('Sqrt', divisor);
    conversion.set(node, onnx.op('Div', filled, divided));
    return;
  }
  if (dtype !== 'float32' && dtype !== 'float64' && dtype !== 'int32' && dtype !== 'int64')
    throw unsupported(node, dtype);
  conversion.set(node, onnx.op('Where', isEmpty, onnx.scalar(dtype, 0), filled));
}
