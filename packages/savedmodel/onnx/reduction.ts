import { boolAttr, inputOf, typeAttr } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Converter } from './conversion.ts';
import { extreme } from './extreme.ts';
import { guardedEach } from './guard.ts';
import { largestOfIntegers, sumOfIntegers } from './integer-reduction.ts';
import { castIntegers, inOrderOfInt64, onKernel, outOfOrderOfInt64 } from './kernels.ts';
import { shapeLike, type ShapeRule } from './known-tensors.ts';
import { type Family, shaped } from './operation.ts';
import { argument, argumentShape, topK, topKShapes } from './ranking.ts';
import { computedAxes, reductionOf } from './reduced-axes.ts';

/** Integers up to this magnitude are exact in doubles, in which onnxruntime reduces integers. */
const EXACT = 2 ** 53;

const sum: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const { input, axes, attributes, set } = reductionOf(node, conversion);
  const dtype = typeAttr(node, 'T', 'float32');
  const reduceTo = (tensor: string) => onnx.node('ReduceSum', [tensor, axes], attributes);
  if (dtype.startsWith('float')) set(reduceTo(input));
  else if (dtype === 'int64') set(sumOfIntegers(onnx, input, reduceTo));
  else if (dtype === 'uint64')
    set(onnx.cast(sumOfIntegers(onnx, onnx.cast(input, 'int64'), reduceTo), dtype));
  else set(onnx.cast(reduceTo(onnx.cast(input, 'int64')), dtype));
};

/** The run ends with an error if a product of integers exceeds {@link EXACT}. */
const product: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const { input, axes, attributes, set } = reductionOf(node, conversion);
  const dtype = typeAttr(node, 'T', 'float32');
  if (dtype.startsWith('float')) {
    set(onnx.node('ReduceProd', [input, axes], attributes));
    return;
  }
  const result = onnx.node('ReduceProd', [onnx.cast(input, 'float64'), axes], attributes);
  const isExact = onnx.op('Less', onnx.op('Abs', result), onnx.scalar('float64', EXACT));
  const checked = guardedEach(onnx, result, isExact, 'the product of integers exceeds 2^53');
  set(castIntegers(onnx, onnx.cast(checked, 'int64'), 'int64', dtype));
};

/** If the input has a NaN, TensorFlow's result is NaN; onnxruntime's depends on the position of the NaN. */
const largest =
  (op: 'ReduceMax' | 'ReduceMin'): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const reduction = reductionOf(node, conversion);
    const { input, axes, attributes, set } = reduction;
    const dtype = typeAttr(node, 'T', 'float32');
    if (dtype === 'int64' || dtype === 'uint64') {
      const integers = dtype === 'int64' ? input : inOrderOfInt64(onnx, input);
      const result = largestOfIntegers(onnx, integers, op, reduction);
      set(dtype === 'int64' ? result : outOfOrderOfInt64(onnx, result));
      return;
    }
    if (dtype.startsWith('float')) {
      const result = onnx.node(op, [input, axes], attributes);
      const odd = onnx.cast(onnx.op('IsNaN', input), 'int32');
      const isOdd = onnx.cast(onnx.node('ReduceSum', [odd, axes], attributes), 'bool');
      set(onnx.op('Where', isOdd, onnx.scalar(dtype, NaN), result));
      return;
    }
    const build = ([carried = '']: readonly string[], carrier: DType) => {
      const result = onnx.node(op, [carried, axes], attributes);
      const end = carrier === dtype ? undefined : ENDS.get(dtype)?.[op === 'ReduceMax' ? 0 : 1];
      // Over no elements the result is the limit of the element type itself, not of the wider type that is computed in.
      if (end === undefined) return result;
      return extreme(
        node,
        onnx,
        op === 'ReduceMax' ? 'Max' : 'Min',
        result,
        onnx.scalar(carrier, end),
        carrier,
      );
    };
    if (dtype === 'uint32') set(onnx.cast(build([onnx.cast(input, 'float64')], 'float64'), dtype));
    else set(onKernel(node, onnx, op, dtype, [input], build));
  };

/** Limits of the integer types that are computed in a wider type. */
const ENDS: ReadonlyMap<DType, readonly [number, number]> = new Map([
  ['int16', [-32768, 32767]],
  ['uint16', [0, 65535]],
  ['uint32', [0, 4294967295]],
]);

/** The mean of no floats is NaN. The mean of integers is their 64-bit sum divided by their count, rounded toward zero. */
const mean: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  const { input, axes, attributes, set } = reductionOf(node, conversion);
  const count = (type: DType) => {
    const sizes = onnx.op('Gather', onnx.shape(input), axes);
    return onnx.cast(onnx.node('ReduceProd', [sizes], { keepdims: 0 }), type);
  };
  if (!dtype.startsWith('float')) {
    const reduceTo = (tensor: string) => onnx.node('ReduceSum', [tensor, axes], attributes);
    const total = sumOfIntegers(onnx, onnx.cast(input, 'int64'), reduceTo);
    const divisor = onnx.op('Max', count('int64'), 1);
    const isWide = dtype === 'uint64';
    const quotient = onnx.op(
      'Div',
      isWide ? onnx.cast(total, dtype) : total,
      isWide ? onnx.cast(divisor, dtype) : divisor,
    );
    set(onnx.cast(quotient, dtype));
    return;
  }
  const shape = conversion.shape(inputOf(node, 0));
  if (shape?.every((size) => size > 0) === true || conversion.isChannelsFirst(node)) {
    set(onnx.node('ReduceMean', [input, axes], attributes));
    return;
  }
  set(onnx.op('Div', onnx.node('ReduceSum', [input, axes], attributes), count(dtype)));
};

/** ONNX cannot reduce booleans, so the true (or false) elements are counted. */
const reduceBool =
  (isAll: boolean): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const { input, axes, attributes, set } = reductionOf(node, conversion);
    const counted = onnx.cast(isAll ? onnx.op('Not', input) : input, 'int32');
    const none = onnx.op(
      'Equal',
      onnx.node('ReduceSum', [counted, axes], attributes),
      onnx.scalar('int32', 0),
    );
    set(isAll ? none : onnx.op('Not', none));
  };

const softmax: Converter = (node, conversion) =>
  conversion.set(node, conversion.onnx.node('Softmax', [conversion.input(node)], { axis: -1 }));

/** Written in single operations, because for a row with an infinity onnxruntime gives minus infinity and TensorFlow NaN. */
const logSoftmax: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const logits = conversion.input(node);
  const shifted = onnx.op('Sub', logits, onnx.op('ReduceMax', logits, [-1]));
  const total = onnx.op('ReduceSum', onnx.op('Exp', shifted), [-1]);
  conversion.set(node, onnx.op('Sub', shifted, onnx.op('Log', total)));
};

const cumulativeSum: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const attributes = {
    exclusive: boolAttr(node, 'exclusive') ? 1 : 0,
    reverse: boolAttr(node, 'reverse') ? 1 : 0,
  };
  const given = conversion.numbers(inputOf(node, 1));
  const isKnown = given !== null && conversion.shape(inputOf(node, 0)) !== null;
  // onnxruntime asks no axis of an empty tensor.
  const axes = isKnown
    ? onnx.integers(conversion.normalAxes(node, 0, given))
    : computedAxes(node, conversion);
  const axis = onnx.op('Reshape', axes, []);
  const build = ([carried = '']: readonly string[]) => onnx.node('CumSum', [carried, axis], attributes);
  const dtype = typeAttr(node, 'T', 'float32');
  conversion.set(
    node,
    onKernel(node, onnx, 'CumSum', dtype, [conversion.input(node)], build, { modular: true }),
  );
};

const reducedShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const axes = known.numbers(1);
  const keep = boolAttr(known.node, 'keep_dims');
  if (whole === null || axes === null) return null;
  const normal = axes.map((axis) => (axis < 0 ? axis + whole.length : axis));
  return keep
    ? whole.map((size, axis) => (normal.includes(axis) ? 1 : size))
    : whole.filter((_, axis) => !normal.includes(axis));
};

/** Operations that look at many elements of one tensor. */
export const REDUCTIONS: Family = {
  title: 'Reductions, softmax, sums',
  takes: 'all numbers; Softmax and LogSoftmax floats',
  limits: [
    [
      'Softmax',
      'rows with NaN or infinity are NaN, as in TensorFlow without oneDNN; with it, TensorFlow answers some of their elements with 0',
    ],
    ['ArgMax ArgMin', 'the axis must be a constant'],
    ['ArgMax ArgMin', 'tensors without elements and of open rank end the run along an axis from the back'],
    ['TopKV2', 'NaN fails the request: it has no place in TensorFlow’s order'],
    ['Prod', 'a product of integers above 2^53 fails the request'],
  ],
  operations: {
    ...shaped(reducedShape, {
      Mean: mean,
      Sum: sum,
      Max: largest('ReduceMax'),
      Min: largest('ReduceMin'),
      Prod: product,
      All: reduceBool(true),
      Any: reduceBool(false),
    }),
    ArgMax: [argument('ArgMax'), argumentShape],
    ArgMin: [argument('ArgMin'), argumentShape],
    TopKV2: [topK, topKShapes],
    ...shaped(shapeLike(0), { Softmax: softmax, LogSoftmax: logSoftmax, Cumsum: cumulativeSum }),
  },
};
