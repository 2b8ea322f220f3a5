import {
  attribute,
  boolAttr,
  type GraphNode,
  inputOf,
  typeAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guarded, guardedEach } from './guard.ts';
import { OPEN, shapeLike, type ShapeRule } from './known-tensors.ts';
import { alike, type Family } from './operation.ts';

/** How many boundaries each number has reached; NaN has reached all. */
const bucketize: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const boundaries = attribute(node, 'boundaries').list?.floats ?? [];
  const isDouble = typeAttr(node, 'T') === 'float64';
  const given = conversion.input(node);
  const dtype = isDouble ? 'float64' : 'float32';
  const shape = [boundaries.length];
  const limits = isDouble
    ? onnx.constant({ dtype: 'float64', shape, data: Float64Array.from(boundaries) })
    : onnx.constant({ dtype: 'float32', shape, data: Float32Array.from(boundaries) });
  const flat = onnx.op('Reshape', onnx.cast(given, dtype), [-1]);
  // onnxruntime keeps the axis where there is nothing to sum up.
  const numbers = onnx.join(flat, onnx.op('Reshape', onnx.scalar(dtype, 0), [1]));
  const column = onnx.op('Unsqueeze', numbers, [-1]);
  const reached = onnx.op('Not', onnx.op('Less', column, limits));
  const all = onnx.node('ReduceSum', [onnx.cast(reached, 'int64'), [-1]], { keepdims: 0 });
  const counts = onnx.op('Slice', all, [0], [-1]);
  const counted = onnx.reshape(counts, onnx.shape(given));
  conversion.set(node, onnx.cast(counted, 'int32'));
};

/** Where a tensor is not zero, in the order of its elements; each row is one element's indices. */
const where: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const rank = conversion.shape(inputOf(node, 0))?.length;
  const input = conversion.input(node);
  const holds = typeAttr(node, 'T', 'bool') === 'bool' ? input : onnx.cast(input, 'bool');
  if (rank === 0) throw new BrokenModel(`Node ${node.name} (Where): a scalar has no places`);
  if (rank === undefined) throw unsupported(node, 'of open rank');
  conversion.set(node, onnx.transpose(onnx.op('NonZero', holds), [1, 0]));
};

/** Types that onnxruntime finds unique elements in, and those that hold the others. */
const CARRIER = {
  float32: 'float32',
  float64: 'float64',
  int64: 'int64',
  int32: 'int64',
  int16: 'int64',
  int8: 'int64',
  uint8: 'int64',
  uint16: 'int64',
  uint32: 'int64',
} as const;

function isCarried(dtype: string): dtype is keyof typeof CARRIER {
  return Object.hasOwn(CARRIER, dtype);
}

/** Elements in the order in which they first occur, for each element which it is, and how often each occurs. */
const unique: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  if (!isCarried(dtype)) throw unsupported(node, dtype);
  if (node.inputs.length > 1) {
    const axes = conversion.numbersInput(node, 1);
    const rank = conversion.shape(inputOf(node, 0))?.length;
    if (axes.length > 0 && rank !== 1) throw unsupported(node, 'along an axis of several');
  }
  const given = conversion.input(node);
  const isVector = onnx.op('Equal', onnx.shape(onnx.shape(given)), [1]);
  const input =
    conversion.shape(inputOf(node, 0))?.length === 1
      ? given
      : guardedEach(onnx, given, isVector, 'the tensor is not a vector');
  const carrier = CARRIER[dtype];
  const [values = '', , places = '', counts = ''] = onnx.nodeOf(
    4,
    'Unique',
    [carrier === dtype ? input : onnx.cast(input, carrier)],
    { sorted: 0 },
  );
  const type = typeAttr(node, 'out_idx', 'int32');
  const indices = (tensor: string) => (type === 'int64' ? tensor : onnx.cast(tensor, type));
  conversion.set(node, carrier === dtype ? values : onnx.cast(values, dtype));
  conversion.set(node, indices(places), 1);
  if (node.op.startsWith('UniqueWithCounts')) conversion.set(node, indices(counts), 2);
};

/** The last number is `stop` itself, whatever the steps before it add up to. */
const linSpace: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  const start = conversion.input(node, 0);
  const stop = conversion.input(node, 1);
  const given = onnx.op('Reshape', conversion.int64Input(node, 2), []);
  const isCount = onnx.op('GreaterOrEqual', given, 1);
  const count = guarded(onnx, given, isCount, 'the number of elements is not positive');
  const steps = onnx.op('Sub', count, 1);
  const step = onnx.op('Div', onnx.op('Sub', stop, start), onnx.cast(onnx.op('Max', steps, 1), dtype));
  const places = onnx.op('Range', 0, count, 1);
  const risen = onnx.op('Add', start, onnx.op('Mul', step, onnx.cast(places, dtype)));
  const isLast = onnx.op('And', onnx.op('Equal', places, steps), onnx.op('Greater', places, 0));
  conversion.set(node, onnx.op('Where', isLast, stop, risen));
};

/** An axis longer than this is not spelled out as one product after another. */
const MAX_PRODUCTS = 1024;

/** ONNX has no running product: one product for each element of the axis, in TensorFlow's order of rounding. */
const cumulativeProduct: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [isReverse, isExclusive] = [boolAttr(node, 'reverse'), boolAttr(node, 'exclusive')];
  const [axis = 0] = conversion.normalAxes(node, 0, conversion.numbersInput(node, 1));
  const size = conversion.shape(inputOf(node, 0))?.[axis] ?? -1;
  if (size < 0) throw unsupported(node, 'along an axis of open size');
  if (size > MAX_PRODUCTS) throw unsupported(node, `along an axis of ${size}, above ${MAX_PRODUCTS}`);
  const input = conversion.input(node);
  if (size === 0) {
    conversion.set(node, input);
    return;
  }
  const parts = size === 1 ? [input] : onnx.nodeOf(size, 'Split', [input], { axis, num_outputs: size });
  const products = runningProducts(node, conversion, isReverse ? parts.toReversed() : parts, isExclusive);
  conversion.set(node, onnx.node('Concat', isReverse ? products.reverse() : products, { axis }));
};

function runningProducts(
  node: GraphNode,
  conversion: Conversion,
  ordered: readonly string[],
  isExclusive: boolean,
): string[] {
  const { onnx } = conversion;
  const [first = ''] = ordered;
  const ones = onnx.op('Expand', conversion.scalar(node, 1), onnx.shape(first));
  const products: string[] = [];
  let running: string | undefined;
  for (const part of ordered) {
    if (isExclusive) products.push(running ?? ones);
    running = running === undefined ? part : onnx.op('Mul', running, part);
    if (!isExclusive) products.push(running);
  }
  return products;
}

/** One row an element that is not zero. */
const whereShape: ShapeRule = (known) => [OPEN, known.shape(0)?.length ?? OPEN];

/** Operations with a result as long as their inputs' values say, and running products. */
export const SELECTIONS: Family = {
  title: 'Elements by value, series',
  takes: 'all numbers',
  limits: [
    ['Where', 'the rank must be known'],
    ['Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2', 'vectors; uint64 is refused'],
    ['Cumprod', 'along a constant axis of a known size, of 1,024 at most'],
    ['LinSpace', 'float32, float64'],
  ],
  operations: {
    Bucketize: [bucketize, shapeLike(0)],
    Where: [where, whereShape],
    ...alike('Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2', unique, () => [[OPEN], [OPEN], [OPEN]]),
    LinSpace: [linSpace, (known) => [known.number(2) ?? OPEN]],
    Cumprod: [cumulativeProduct, shapeLike(0)],
  },
};
