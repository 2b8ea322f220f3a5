import { boolAttr, type GraphNode, inputOf, typeAttr } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { extreme } from './elementwise.ts';
import { allTrue, asserted, guarded } from './guard.ts';
import { carrierOf, castIntegers, inOrderOfInt64, onKernel, outOfOrderOfInt64 } from './kernels.ts';
import { LARGEST_FLOAT } from './largest-float.ts';
import type { OnnxGraph } from './onnx-graph.ts';

interface Reduction {
  readonly input: string;
  /** Name of the axes, which are counted from the front: onnxruntime does not reduce empty tensors over others. */
  readonly axes: string;
  readonly attributes: Readonly<Record<string, number>>;
  set(result: string): void;
}

/** Many networks end with a mean over height and width: it is computed without transposing. */
function reductionOf(node: GraphNode, conversion: Conversion): Reduction {
  const { onnx } = conversion;
  const keep = boolAttr(node, 'keep_dims');
  const attributes = { keepdims: keep ? 1 : 0, noop_with_empty_axes: 1 };
  const set = (result: string) => conversion.set(node, result);
  const given = conversion.numbers(inputOf(node, 1));
  if (given === null) {
    return { input: conversion.input(node), axes: computedAxes(node, conversion), attributes, set };
  }
  if (conversion.isChannelsFirst(node)) {
    const spatial = given.map((axis) => (axis < 0 ? axis + 4 : axis)).sort();
    if (spatial.join() === '1,2') {
      const input = conversion.imageInput(node);
      const setImage = (result: string) =>
        keep ? conversion.setChannelsFirst(node, result) : conversion.set(node, result);
      return { input, axes: onnx.integers([2, 3]), attributes, set: setImage };
    }
  }
  const isOpen = conversion.shape(inputOf(node, 0)) === null && given.some((axis) => axis < 0);
  const axes = isOpen ? computedAxes(node, conversion) : onnx.integers(conversion.normalAxes(node, 0, given));
  return { input: conversion.input(node), axes, attributes, set };
}

function computedAxes(node: GraphNode, conversion: Conversion): string {
  const { onnx } = conversion;
  const axes = onnx.node('Reshape', [conversion.int64Input(node, 1), onnx.integers([-1])]);
  const rank = onnx.node('Shape', [onnx.node('Shape', [conversion.input(node)])]);
  const negative = onnx.node('Less', [axes, onnx.integers([0])]);
  const normal = onnx.node('Where', [negative, onnx.node('Add', [axes, rank]), axes]);
  const isAxis = onnx.node('And', [
    onnx.node('GreaterOrEqual', [normal, onnx.integers([0])]),
    onnx.node('Less', [normal, rank]),
  ]);
  return guarded(onnx, normal, allTrue(onnx, isAxis), 'the tensor has no such axis');
}

const EMPTY = 'the tensor has no elements';

/** Integers up to this magnitude are exact in doubles, in which onnxruntime reduces integers. */
const EXACT = 2 ** 53;

/** An int64 tensor as its halves of 32 bits, the lower one unsigned. */
function halvesOf(onnx: OnnxGraph, integers: string): { readonly high: string; readonly low: string } {
  const half = onnx.integers([HALF], []);
  const low = onnx.node('Mod', [integers, half]);
  return { high: onnx.node('Div', [onnx.node('Sub', [integers, low]), half]), low };
}

const HALF = 2 ** 32;

function joined(onnx: OnnxGraph, high: string, low: string): string {
  return onnx.node('Add', [onnx.node('Mul', [high, onnx.integers([HALF], [])]), low]);
}

/** Sums of halves are exact in doubles; together they wrap around as TensorFlow's sum does. */
function sumOfIntegers(onnx: OnnxGraph, integers: string, reduceTo: (halves: string) => string): string {
  const { high, low } = halvesOf(onnx, integers);
  return joined(onnx, reduceTo(high), reduceTo(low));
}

/** onnxruntime 1.30 compares int64 values wrongly if both 32-bit halves differ, so the upper halves are compared first, then the lower ones. */
function largestOfIntegers(
  onnx: OnnxGraph,
  integers: string,
  op: 'ReduceMax' | 'ReduceMin',
  { axes, attributes }: Reduction,
): string {
  const { high, low } = halvesOf(onnx, integers);
  const reduceTo = (tensor: string, keepdims: number) =>
    onnx.node(op, [onnx.cast(tensor, 'float64'), axes], { ...attributes, keepdims });
  // Over no elements the result is infinite; clipping both halves turns it into the smallest or largest integer.
  const within = (halves: string, smallest: number) => {
    const bounds = [smallest, smallest + HALF - 1].map((bound) => onnx.scalar('float64', bound));
    return onnx.cast(onnx.node('Clip', [halves, ...bounds]), 'int64');
  };
  const best = within(reduceTo(high, 1), -HALF / 2);
  const last = onnx.integers([op === 'ReduceMax' ? -1 : HALF], []);
  const others = onnx.node('Where', [onnx.node('Equal', [high, best]), low, last]);
  const lower = within(reduceTo(others, attributes.keepdims ?? 0), 0);
  // Not a Squeeze, which takes no axes for all of size 1.
  const upper = onnx.node('Reshape', [best, onnx.node('Shape', [lower])], { allowzero: 1 });
  return joined(onnx, upper, lower);
}

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
  const isExact = onnx.node('Less', [onnx.node('Abs', [result]), onnx.scalar('float64', EXACT)]);
  const integers = onnx.cast(
    guarded(onnx, result, allTrue(onnx, isExact), 'the product of integers exceeds 2^53'),
    'int64',
  );
  set(castIntegers(onnx, integers, 'int64', dtype));
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
      const odd = onnx.cast(onnx.node('IsNaN', [input]), 'int32');
      const isOdd = onnx.cast(onnx.node('ReduceSum', [odd, axes], attributes), 'bool');
      set(onnx.node('Where', [isOdd, onnx.scalar(dtype, NaN), result]));
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

/** The mean of no floats is NaN. The mean of integers is their 64-bit sum divided by their count, rounded towards zero. */
const mean: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  const { input, axes, attributes, set } = reductionOf(node, conversion);
  const count = (type: DType) => {
    const sizes = onnx.node('Gather', [onnx.node('Shape', [input]), axes]);
    return onnx.cast(onnx.node('ReduceProd', [sizes], { keepdims: 0 }), type);
  };
  if (!dtype.startsWith('float')) {
    const reduceTo = (tensor: string) => onnx.node('ReduceSum', [tensor, axes], attributes);
    const total = sumOfIntegers(onnx, onnx.cast(input, 'int64'), reduceTo);
    const divisor = onnx.node('Max', [count('int64'), onnx.integers([1], [])]);
    const isWide = dtype === 'uint64';
    const quotient = onnx.node('Div', [
      isWide ? onnx.cast(total, dtype) : total,
      isWide ? onnx.cast(divisor, dtype) : divisor,
    ]);
    set(onnx.cast(quotient, dtype));
    return;
  }
  const shape = conversion.shape(inputOf(node, 0));
  if (shape?.every((size) => size > 0) === true || conversion.isChannelsFirst(node)) {
    set(onnx.node('ReduceMean', [input, axes], attributes));
    return;
  }
  set(onnx.node('Div', [onnx.node('ReduceSum', [input, axes], attributes), count(dtype)]));
};

/** ONNX cannot reduce booleans, so the true (or false) elements are counted. */
const reduceBool =
  (isAll: boolean): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const { input, axes, attributes, set } = reductionOf(node, conversion);
    const counted = onnx.cast(isAll ? onnx.node('Not', [input]) : input, 'int32');
    const none = onnx.node('Equal', [
      onnx.node('ReduceSum', [counted, axes], attributes),
      onnx.scalar('int32', 0),
    ]);
    set(isAll ? none : onnx.node('Not', [none]));
  };

/** TensorFlow starts from the lowest finite value (ArgMin: the highest) at index 0: elements not beyond it, NaN among them, never win. */
const argument =
  (op: 'ArgMax' | 'ArgMin'): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const [given = 0] = conversion.numbersInput(node, 1);
    const shape = conversion.shape(inputOf(node, 0));
    const [axis = 0] = shape === null ? [given] : conversion.normalAxes(node, 0, [given]);
    const dtype = typeAttr(node, 'T', 'float32');
    let input = conversion.input(node);
    if (shape === null && given < 0) {
      // With a negative axis onnxruntime returns empty tensors unchanged.
      const some = onnx.node('Greater', [onnx.node('Size', [input]), onnx.integers([0], [])]);
      input = guarded(onnx, input, some, EMPTY);
    } else if ((shape?.[axis] ?? -1) <= 0)
      input = guarded(onnx, input, hasElements(onnx, input, axis), EMPTY);
    if (dtype.startsWith('float')) {
      const end = LARGEST_FLOAT.get(dtype) ?? Infinity;
      const last = onnx.scalar(dtype, op === 'ArgMax' ? -end : end);
      const counts = onnx.node(op === 'ArgMax' ? 'Greater' : 'Less', [input, last]);
      input = onnx.node('Where', [counts, input, last]);
    }
    const place = onnx.node(op, [inKernelOrder(node, onnx, op, dtype, input).carried], { axis, keepdims: 0 });
    const type = typeAttr(node, 'output_type', 'int64');
    conversion.set(node, type === 'int64' ? place : onnx.cast(place, type));
  };

/** TensorFlow refuses to search no elements for the largest one; onnxruntime returns an index. */
function hasElements(onnx: OnnxGraph, input: string, axis: number): string {
  const size = onnx.node('Gather', [onnx.node('Shape', [input]), onnx.integers([axis], [])]);
  return onnx.node('Greater', [size, onnx.integers([0], [])]);
}

/** The tensor cast to an element type that has a kernel and keeps the order, and the function that casts back. */
function inKernelOrder(
  node: GraphNode,
  onnx: OnnxGraph,
  op: 'ArgMax' | 'ArgMin' | 'TopK',
  dtype: DType,
  tensor: string,
): { readonly carried: string; back(result: string): string } {
  if (dtype === 'uint64')
    return { carried: inOrderOfInt64(onnx, tensor), back: (result) => outOfOrderOfInt64(onnx, result) };
  const carrier = carrierOf(node, op, dtype);
  if (carrier === dtype) return { carried: tensor, back: (result) => result };
  return { carried: onnx.cast(tensor, carrier), back: (result) => onnx.cast(result, dtype) };
}

const topK: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  const input = conversion.input(node);
  if (dtype.startsWith('float')) {
    // NaN is not ordered in TensorFlow.
    const isNumber = allTrue(onnx, onnx.node('Not', [onnx.node('IsNaN', [input])]));
    asserted(onnx, isNumber, 'a value is not a number');
  }
  const k = onnx.node('Reshape', [conversion.int64Input(node, 1), onnx.integers([1])]);
  const { some, count, cut } = rowsToSort(node, conversion, input, k);
  const { carried, back } = inKernelOrder(node, onnx, 'TopK', dtype, some);
  const sorted = boolAttr(node, 'sorted', true) ? 1 : 0;
  const [values = '', places = ''] = onnx.nodeOf(2, 'TopK', [carried, count], { sorted });
  conversion.set(node, cut(back(values)));
  conversion.set(node, cut(onnx.cast(places, typeAttr(node, 'index_type', 'int32'))), 1);
};

/** onnxruntime divides by the number of elements. If that can be 0, each axis is padded by one element and the result cut back. */
function rowsToSort(
  node: GraphNode,
  conversion: Conversion,
  tensor: string,
  k: string,
): { readonly some: string; readonly count: string; cut(result: string): string } {
  const { onnx } = conversion;
  if (conversion.shape(inputOf(node, 0))?.every((size) => size > 0) === true)
    return { some: tensor, count: k, cut: (result) => result };
  const shape = onnx.node('Shape', [tensor]);
  const zeros = onnx.node('Expand', [onnx.integers([0]), onnx.node('Shape', [shape])]);
  const isEmpty = onnx.node('Equal', [onnx.node('Size', [tensor]), onnx.integers([0], [])]);
  const more = onnx.node('Add', [zeros, onnx.cast(isEmpty, 'int64')]);
  const pads = onnx.node('Concat', [zeros, more], { axis: 0 });
  const dtype = typeAttr(node, 'T', 'float32');
  const some = onKernel(node, onnx, 'Pad', dtype, [tensor], ([carried = '']) =>
    onnx.node('Pad', [carried, pads]),
  );
  const row = onnx.node('Gather', [shape, onnx.integers([-1])]);
  const fits = allTrue(onnx, onnx.node('LessOrEqual', [k, row]));
  const count = guarded(onnx, k, fits, 'a row has fewer elements than are asked for');
  const rows = onnx.node('Slice', [shape, onnx.integers([0]), onnx.integers([-1])]);
  const ends = onnx.node('Concat', [rows, k], { axis: 0 });
  return { some, count, cut: (result) => onnx.node('Slice', [result, zeros, ends]) };
}

const softmax: Converter = (node, conversion) =>
  conversion.set(node, conversion.onnx.node('Softmax', [conversion.input(node)], { axis: -1 }));

/** Written in single operations, because for a row with an infinity onnxruntime gives minus infinity and TensorFlow NaN. */
const logSoftmax: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const logits = conversion.input(node);
  const last = onnx.integers([-1]);
  const shifted = onnx.node('Sub', [logits, onnx.node('ReduceMax', [logits, last])]);
  const total = onnx.node('ReduceSum', [onnx.node('Exp', [shifted]), last]);
  conversion.set(node, onnx.node('Sub', [shifted, onnx.node('Log', [total])]));
};

const cumulativeSum: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const attributes = {
    exclusive: boolAttr(node, 'exclusive') ? 1 : 0,
    reverse: boolAttr(node, 'reverse') ? 1 : 0,
  };
  const given = conversion.numbers(inputOf(node, 1));
  if (given !== null && conversion.shape(inputOf(node, 0)) !== null) conversion.normalAxes(node, 0, given);
  const axis = onnx.node('Reshape', [conversion.int64Input(node, 1), onnx.integers([], [0])]);
  const build = ([carried = '']: readonly string[]) => onnx.node('CumSum', [carried, axis], attributes);
  const dtype = typeAttr(node, 'T', 'float32');
  conversion.set(
    node,
    onKernel(node, onnx, 'CumSum', dtype, [conversion.input(node)], build, { modular: true }),
  );
};

/** Operations that look at many elements of one tensor. */
export const REDUCTIONS: Readonly<Record<string, Converter>> = {
  Mean: mean,
  Sum: sum,
  Max: largest('ReduceMax'),
  Min: largest('ReduceMin'),
  Prod: product,
  All: reduceBool(true),
  Any: reduceBool(false),
  ArgMax: argument('ArgMax'),
  ArgMin: argument('ArgMin'),
  TopKV2: topK,
  Softmax: softmax,
  LogSoftmax: logSoftmax,
  Cumsum: cumulativeSum,
};
