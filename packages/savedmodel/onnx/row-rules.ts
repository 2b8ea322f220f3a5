import { boolAttr, inputOf, intAttr, intsAttr, textAttr } from '../savedmodel/graph-node.ts';
import { ELEMENTWISE } from './elementwise-operations.ts';
import {
  EVERY,
  isRows,
  isSizes,
  leadsRows,
  leavesFirst,
  MIXED,
  numbersOf,
  type RowRule,
  rows,
  SAME,
  shapeOf,
  type Size,
  sizesOf,
  type Trace,
  type Traced,
} from './row-trace.ts';
import { SPECIAL_FUNCTIONS } from './special-functions.ts';

/** The rows of the inputs, if there are any and all have as many places in each. */
function common(inputs: readonly Trace[]): Trace {
  const [first, ...others] = inputs.filter(isRows);
  if (first === undefined || inputs.some((one) => one !== SAME && !isRows(one))) return MIXED;
  return others.every(({ count }) => count === first.count) ? first : MIXED;
}

/** Element by element: what is broadcast along the first axis must be the same for all rows. */
const elementwise: RowRule = (traced) => {
  const { inputs } = traced;
  const shapes = inputs.map((_, index) => shapeOf(traced, index));
  const isScalar = (index: number) => inputs[index] === SAME && shapes[index]?.length === 0;
  const wide = [...inputs.keys()].filter((index) => !isScalar(index));
  if (wide.length > 1) {
    const rank = Math.max(...wide.map((index) => shapes[index]?.length ?? NaN));
    const fits = (index: number) =>
      isRows(inputs[index])
        ? shapes[index]?.length === rank
        : (shapes[index]?.length ?? rank) < rank || shapes[index]?.[0] === 1;
    if (Number.isNaN(rank) || !wide.every(fits)) return MIXED;
  }
  return common(inputs);
};

/** Rule of operations that only hand their input on. */
const handedOn: RowRule = ({ inputs }) => inputs[0] ?? MIXED;

/** Truths that hold of all requests hold of each. */
const both: RowRule = (traced) =>
  traced.inputs.every((one) => one === EVERY || one === SAME) ? EVERY : elementwise(traced);

/** An operation on each row of input `at`, which has at least `minRank` axes; its other inputs must be the same for all rows. */
const along =
  (minRank = 0, at = 0): RowRule =>
  (traced) => {
    const rank = shapeOf(traced, at)?.length ?? (minRank === 0 ? 0 : -1);
    const others = traced.inputs.filter((_, index) => index !== at);
    if (rank < minRank || others.some((one) => one !== SAME)) return MIXED;
    return common([traced.inputs[at] ?? MIXED]);
  };

/** Rule of operations that work along the axes of input `at` on the first input. */
const axes =
  (at: number): RowRule =>
  (traced) =>
    leavesFirst(numbersOf(traced, at), shapeOf(traced, 0)?.length) ? along()(traced) : MIXED;

const all: RowRule = (traced) => {
  const [of] = traced.inputs;
  const rank = shapeOf(traced, 0)?.length;
  const over = numbersOf(traced, 1) ?? overAll(traced);
  if (of === EVERY || (isRows(of) && over !== null && new Set(over).size === (rank ?? NaN))) return EVERY;
  return axes(1)(traced);
};

/** `tf.range(tf.rank(x))` of a known rank. */
function overAll(traced: Traced): readonly number[] | null {
  const axes = traced.known.source(inputOf(traced.node, 1)).node;
  const rank = shapeOf(traced, 0)?.length;
  const limit = axes?.op === 'Range' ? traced.known.source(inputOf(axes, 1)).node : undefined;
  return rank !== undefined && limit?.op === 'Rank' ? Array.from({ length: rank }, (_, axis) => axis) : null;
}

const matrixProduct: RowRule = (traced) => (boolAttr(traced.node, 'transpose_a') ? MIXED : along()(traced));

const batchedProduct: RowRule = (traced) => {
  const [left, right] = [shapeOf(traced, 0), shapeOf(traced, 1)];
  if (left === null || right === null) return MIXED;
  const rank = Math.max(left.length, right.length);
  if (rank === 2) return boolAttr(traced.node, 'adj_x') ? MIXED : along()(traced);
  const fits = (shape: readonly number[], trace: Trace | undefined) =>
    isRows(trace) ? shape.length === rank : shape.length < rank || shape[0] === 1;
  return fits(left, traced.inputs[0]) && fits(right, traced.inputs[1]) ? common(traced.inputs) : MIXED;
};

/** The letter of the first axis must lead the result and the inputs that have rows, and be in no other. */
const einsum: RowRule = (traced) => {
  const [given = '', result = ''] = textAttr(traced.node, 'equation').replaceAll(' ', '').split('->');
  if (given.includes('.')) return MIXED;
  const sides = given.split(',');
  const [letter = ''] = result;
  const isBatch = (side: string, index: number) =>
    isRows(traced.inputs[index])
      ? side.lastIndexOf(letter) === 0 && shapeOf(traced, index)?.length === side.length
      : !side.includes(letter);
  return /[a-zA-Z]/.test(letter) && !result.slice(1).includes(letter) && sides.every(isBatch)
    ? common(traced.inputs)
    : MIXED;
};

const shape: RowRule = (traced) => {
  const sizesOfOne = (trace: Trace, index: number): Trace => {
    const known = shapeOf(traced, index);
    if (trace === SAME) return SAME;
    if (known === null || !isRows(trace)) return MIXED;
    const inner = known.slice(1).map((size) => (size < 0 ? NaN : size));
    return { sizes: [trace, ...inner], isScalar: false };
  };
  return traced.inputs.map(sizesOfOne);
};

const reshape: RowRule = (traced) => {
  const [tensor] = traced.inputs;
  const sizes = sizesOf(traced, 1);
  if (!isRows(tensor) || sizes === undefined) return MIXED;
  const [first, ...inner] = sizes;
  if (inner.some(isRows)) return MIXED;
  if (isRows(first)) return first;
  const numbers = inner.map(Number);
  const block = numbers.reduce((product, size) => product * size, 1);
  const before = shapeOf(traced, 0)?.slice(1) ?? [-1];
  if (first !== -1 || !(block > 0) || numbers.some((size) => size < 0)) return MIXED;
  if (before.every((size) => size >= 0)) {
    const blocks = before.reduce((product, size) => product * size, 1) / block;
    const count = tensor.count * blocks;
    return Number.isInteger(Number.isNaN(count) ? blocks : count) ? rows(count) : MIXED;
  }
  // Open sizes: whole groups of the last axes stay together.
  let size = 1;
  for (const length of before.toReversed()) {
    if (size >= block || length < 0) break;
    size *= length;
  }
  return size === block ? rows(NaN) : MIXED;
};

const transpose: RowRule = (traced) => (numbersOf(traced, 1)?.[0] === 0 ? along()(traced) : MIXED);

const expandDims: RowRule = (traced) => {
  const rank = shapeOf(traced, 0)?.length;
  return leavesFirst(numbersOf(traced, 1), rank === undefined ? undefined : rank + 1)
    ? along()(traced)
    : MIXED;
};

const squeeze: RowRule = (traced) => {
  const gone = intsAttr(traced.node, 'squeeze_dims');
  return gone.length > 0 && leavesFirst(gone, shapeOf(traced, 0)?.length) ? along()(traced) : MIXED;
};

const tile: RowRule = (traced) => {
  const [tensor] = traced.inputs;
  const times = sizesOf(traced, 1);
  if (isRows(tensor)) return times?.[0] === 1 && !times.some(isRows) ? tensor : MIXED;
  return tensor === SAME && shapeOf(traced, 0)?.[0] === 1 && leadsRows(times) ? times[0] : MIXED;
};

const broadcastTo: RowRule = (traced) => {
  const [tensor] = traced.inputs;
  const [sizes, given] = [sizesOf(traced, 1), shapeOf(traced, 0)];
  if (!leadsRows(sizes) || given === null) return MIXED;
  if (isRows(tensor)) return given.length === sizes.length ? common([tensor, sizes[0]]) : MIXED;
  return tensor === SAME && (given.length < sizes.length || given[0] === 1) ? sizes[0] : MIXED;
};

const fill: RowRule = (traced) => {
  const sizes = sizesOf(traced, 0);
  return leadsRows(sizes) && traced.inputs[1] === SAME ? sizes[0] : MIXED;
};

/** Axis that is new in the result, where it is not the first. */
function isInner(axis: number, rank: number | undefined): boolean {
  return leavesFirst([axis], rank === undefined ? undefined : rank + 1);
}

const pack: RowRule = (traced) => {
  const { node, inputs } = traced;
  if (inputs.some(isSizes)) {
    const parts = inputs.map((_, index) => sizesOf(traced, index));
    const isFlat = inputs.every((one, index) =>
      isSizes(one) ? one.isScalar : shapeOf(traced, index)?.length === 0,
    );
    return isFlat ? sized(parts) : MIXED;
  }
  const isWhole = inputs.every(isRows) && isInner(intAttr(node, 'axis'), shapeOf(traced, 0)?.length);
  return isWhole ? common(inputs) : MIXED;
};

/** A vector of these parts. */
function sized(parts: readonly (readonly Size[] | undefined)[]): Trace {
  const whole = parts.flatMap((part) => part ?? []);
  return parts.includes(undefined) ? MIXED : { sizes: whole, isScalar: false };
}

const concat: RowRule = (traced) => {
  const last = traced.inputs.length - 1;
  const inputs = traced.inputs.slice(0, last);
  const axis = numbersOf(traced, last);
  if (inputs.some(isSizes)) {
    const isFlat = inputs.every((one, index) =>
      isSizes(one) ? !one.isScalar : shapeOf(traced, index)?.length === 1,
    );
    return isFlat && axis?.[0] === 0 ? sized(inputs.map((_, index) => sizesOf(traced, index))) : MIXED;
  }
  return inputs.every(isRows) && leavesFirst(axis, shapeOf(traced, 0)?.length) ? common(inputs) : MIXED;
};

const stridedSlice: RowRule = (traced) => {
  const { node, inputs } = traced;
  const [tensor, ...bounds] = inputs;
  if (bounds.some((one) => one !== SAME)) return MIXED;
  const mask = (name: string) => (intAttr(node, `${name}_mask`) & 1) === 1;
  const [begin, end, strides] = [numbersOf(traced, 1), numbersOf(traced, 2), numbersOf(traced, 3)];
  const specs = shapeOf(traced, 1)?.[0] ?? NaN;
  if (isSizes(tensor)) {
    if (begin?.length !== 1 || end === null || strides?.[0] !== 1) return MIXED;
    const [from = 0, to = 0] = [begin[0], end[0]];
    const one = tensor.sizes.at(from);
    if (mask('shrink_axis')) return one === undefined ? MIXED : { sizes: [one], isScalar: true };
    const part = tensor.sizes.slice(mask('begin') ? 0 : from, mask('end') ? undefined : to);
    return { sizes: part, isScalar: false };
  }
  if (!isRows(tensor)) return MIXED;
  const isWhole = mask('ellipsis')
    ? (shapeOf(traced, 0)?.length ?? 0) >= specs
    : !mask('new_axis') &&
      !mask('shrink_axis') &&
      (mask('begin') || begin?.[0] === 0) &&
      mask('end') &&
      strides?.[0] === 1;
  return isWhole ? tensor : MIXED;
};

const slice: RowRule = (traced) => {
  const [tensor, begin] = traced.inputs;
  const length = sizesOf(traced, 2)?.[0];
  const isWhole = begin === SAME && numbersOf(traced, 1)?.[0] === 0 && (length === -1 || isRows(length));
  if (!isRows(tensor) || !isWhole) return MIXED;
  return length === -1 ? tensor : common([tensor, length]);
};

/** Rows of a table by the request's indices, or parts of each request's rows by indices that all have in common. */
const gather: RowRule = (traced) => {
  const { node, inputs } = traced;
  const [params, indices] = inputs;
  const axis = node.inputs.length > 2 ? numbersOf(traced, 2) : [0];
  const batch = intAttr(node, 'batch_dims');
  if (axis === null || inputs.slice(2).some((one) => one !== SAME)) return MIXED;
  if (batch > 0) return isRows(params) && isRows(indices) ? common([params, indices]) : MIXED;
  if (params === SAME && isRows(indices)) return axis[0] === 0 && batch === 0 ? indices : MIXED;
  if (!isRows(params) || indices !== SAME || batch !== 0) return MIXED;
  return leavesFirst(axis, shapeOf(traced, 0)?.length) ? params : MIXED;
};

const gatherNd: RowRule = (traced) => (traced.inputs[0] === SAME ? along(2, 1)(traced) : MIXED);

const oneHot: RowRule = (traced) => {
  const axis = intAttr(traced.node, 'axis', -1);
  return axis === -1 || axis > 0 ? along()(traced) : MIXED;
};

const pad: RowRule = (traced) => {
  const amounts = numbersOf(traced, 1);
  return amounts !== null && amounts[0] === 0 && amounts[1] === 0 ? along()(traced) : MIXED;
};

const split: RowRule = (traced) =>
  leavesFirst(numbersOf(traced, 0), shapeOf(traced, 1)?.length) ? along(0, 1)(traced) : MIXED;

const unpack: RowRule = (traced) =>
  leavesFirst([intAttr(traced.node, 'axis')], shapeOf(traced, 0)?.length) ? along()(traced) : MIXED;

/** The first input says the shape of the result. */
const transposedConvolution: RowRule = (traced) => {
  const sizes = sizesOf(traced, 0);
  return leadsRows(sizes) && traced.inputs[1] === SAME
    ? common([sizes[0], traced.inputs[2] ?? MIXED])
    : MIXED;
};

/** Moments of the batch itself mix its rows, as a layer in training takes them; only the first output is of rows. */
const normalisation: RowRule = (traced) => {
  const [, ...moments] = traced.inputs;
  const isWhole = !boolAttr(traced.node, 'is_training', true) && moments.every((one) => one === SAME);
  const [images] = traced.inputs;
  return [isWhole && isRows(images) ? images : MIXED, ...moments];
};

function named(operations: string, rule: RowRule): [string, RowRule][] {
  return operations.split(' ').map((operation) => [operation, rule]);
}

/** Rules of operations for the rows of a batch; those that are not here are taken to mix them. */
export const ROW_RULES: ReadonlyMap<string, RowRule> = new Map<string, RowRule>([
  ...named(
    Object.keys({ ...ELEMENTWISE.operations, ...SPECIAL_FUNCTIONS.operations }).join(' '),
    elementwise,
  ),
  ...named('Bitcast ZerosLike OnesLike Angle Complex ComplexAbs Conj Imag Real StringJoin', elementwise),
  ...named('Cast EnsureShape Identity PreventGradient Snapshot StopGradient', handedOn),
  ...named('Select L2Loss', () => MIXED),
  ...named('LogicalAnd', both),
  ...named('Assert', both),
  ...named(
    'AsString DecodeBase64 EncodeBase64 RegexFullMatch RegexReplace StaticRegexFullMatch StaticRegexReplace StringLength StringLower ' +
      'StringStrip StringToHashBucketFast StringToHashBucketStrong StringToNumber StringUpper Bucketize',
    along(),
  ),
  ...named('LookupTableFind LookupTableFindV2', along(0, 1)),
  ...named(
    'AvgPool AvgPool3D Conv2D Conv3D DepthToSpace DepthwiseConv2dNative ExtractImagePatches LRN MaxPool MaxPool3D ResizeArea ' +
      'ResizeBicubic ResizeBilinear ResizeNearestNeighbor ScaleAndTranslate SpaceToDepth FakeQuantWithMinMaxArgs ' +
      'FakeQuantWithMinMaxVars',
    along(),
  ),
  ...named(
    'BiasAdd LogSoftmax Softmax TopKV2 HSVToRGB RGBToHSV FFT IFFT IRFFT RFFT FakeQuantWithMinMaxVarsPerChannel',
    along(2),
  ),
  ...named('MatrixBandPart MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3', along(3)),
  ...named('AdjustContrastv2 AdjustHue AdjustSaturation', along(4)),
  ...named('FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3', normalisation),
  ...named('Any ArgMax ArgMin Cumprod Cumsum Max Mean Min Prod ReverseV2 Sum', axes(1)),
  ...named('All', all),
  ...named('Roll', axes(2)),
  ...named('MatMul', matrixProduct),
  ...named('BatchMatMul BatchMatMulV2 BatchMatMulV3', batchedProduct),
  ...named('Einsum', einsum),
  ...named('Shape ShapeN', shape),
  ...named('Rank', () => SAME),
  ...named('IdentityN', ({ inputs }) => inputs),
  ...named('Reshape', reshape),
  ...named('Transpose', transpose),
  ...named('ExpandDims', expandDims),
  ...named('Squeeze', squeeze),
  ...named('Tile', tile),
  ...named('BroadcastTo', broadcastTo),
  ...named('Fill', fill),
  ...named('Pack', pack),
  ...named('ConcatV2', concat),
  ...named('StridedSlice', stridedSlice),
  ...named('Slice', slice),
  ...named('Gather GatherV2 ResourceGather', gather),
  ...named('GatherNd', gatherNd),
  ...named('OneHot', oneHot),
  ...named('MirrorPad Pad PadV2', pad),
  ...named('Split', split),
  ...named('SplitV', axes(2)),
  ...named('Unpack', unpack),
  ...named('Conv2DBackpropInput Conv3DBackpropInputV2', transposedConvolution),
]);
