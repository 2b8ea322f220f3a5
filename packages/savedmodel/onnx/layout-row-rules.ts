import { intAttr, intsAttr } from '../savedmodel/graph-node.ts';
import {
  along,
  axes,
  common,
  isRows,
  isSizes,
  leadsRows,
  leavesFirst,
  MIXED,
  named,
  numbersOf,
  type RowRule,
  rows,
  SAME,
  shapeOf,
  type Size,
  sizesOf,
  type Trace,
} from './row-trace.ts';

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

/** Axis that is new in the result, unless it's the first. */
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

/** Rules of operations that lay the places of a tensor out in another way, or take some of them. */
export const LAYOUT_ROW_RULES: ReadonlyMap<string, RowRule> = new Map<string, RowRule>([
  ...named('Shape ShapeN', shape),
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
]);
