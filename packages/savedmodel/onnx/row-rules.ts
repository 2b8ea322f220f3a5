import { boolAttr, inputOf, textAttr } from '../savedmodel/graph-node.ts';
import { ELEMENTWISE } from './elementwise-operations.ts';
import { LAYOUT_ROW_RULES } from './layout-row-rules.ts';
import {
  along,
  axes,
  common,
  EVERY,
  isRows,
  leadsRows,
  MIXED,
  named,
  numbersOf,
  type RowRule,
  SAME,
  shapeOf,
  sizesOf,
  type Trace,
  type Traced,
} from './row-trace.ts';
import { SPECIAL_FUNCTIONS } from './special-functions.ts';

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

/** The first input says the shape of the result. */
const transposedConvolution: RowRule = (traced) => {
  const sizes = sizesOf(traced, 0);
  return leadsRows(sizes) && traced.inputs[1] === SAME
    ? common([sizes[0], traced.inputs[2] ?? MIXED])
    : MIXED;
};

/** Moments of the batch itself mix its rows, as a layer in training takes them; only the first output is of rows. */
const normalization: RowRule = (traced) => {
  const [, ...moments] = traced.inputs;
  const isWhole = !boolAttr(traced.node, 'is_training', true) && moments.every((one) => one === SAME);
  const [images] = traced.inputs;
  return [isWhole && isRows(images) ? images : MIXED, ...moments];
};

/** Rules of operations for the rows of a batch; those that are not here are taken to mix them. */
export const ROW_RULES: ReadonlyMap<string, RowRule> = new Map<string, RowRule>([
  ...LAYOUT_ROW_RULES,
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
  ...named('FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3', normalization),
  ...named('Any ArgMax ArgMin Cumprod Cumsum Max Mean Min Prod ReverseV2 Sum', axes(1)),
  ...named('All', all),
  ...named('Roll', axes(2)),
  ...named('MatMul', matrixProduct),
  ...named('BatchMatMul BatchMatMulV2 BatchMatMulV3', batchedProduct),
  ...named('Einsum', einsum),
  ...named('Rank', () => SAME),
  ...named('IdentityN', ({ inputs }) => inputs),
  ...named('Conv2DBackpropInput Conv3DBackpropInputV2', transposedConvolution),
]);
