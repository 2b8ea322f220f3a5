import { intAttr, intsAttr, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { choose } from './choosing.ts';
import type { Converter } from './conversion.ts';
import { guarded, guardedEach } from './guard.ts';
import { carrierOf } from './kernels.ts';
import { countOf, fromFront, OPEN, scalarShape, shapeLike, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Family } from './operation.ts';

const reshape: Converter = (node, conversion) => {
  const target = conversion.int64Input(node, 1);
  // In TensorFlow a 0 is a size, and in ONNX by default "as before".
  conversion.set(node, conversion.onnx.reshape(conversion.input(node), target));
};

const squeeze: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const axes = intsAttr(node, 'squeeze_dims');
  if (conversion.isChannelsFirst(node) && [...axes].sort().join() === '1,2') {
    conversion.set(node, onnx.op('Squeeze', conversion.imageInput(node), [2, 3]));
    return;
  }
  const inputs = [conversion.input(node), ...(axes.length > 0 ? [onnx.integers(axes)] : [])];
  conversion.set(node, onnx.node('Squeeze', inputs));
};

const expandDims: Converter = (node, conversion) => {
  const axes = conversion.onnx.integers([conversion.numbersInput(node, 1)[0] ?? 0]);
  conversion.set(node, conversion.onnx.op('Unsqueeze', conversion.input(node), axes));
};

/** Sizes of a tensor, in TensorFlow’s order of axes. */
export const shapeOf: Converter = (node, conversion) => {
  const type = typeAttr(node, 'out_type', 'int32');
  const shape = conversion.shapeOf(node);
  conversion.set(node, type === 'int64' ? shape : conversion.onnx.cast(shape, type));
};

const shapesOf: Converter = (node, conversion) => {
  const type = typeAttr(node, 'out_type', 'int32');
  node.inputs.forEach((_, index) => {
    const shape = conversion.shapeOf(node, index);
    conversion.set(node, type === 'int64' ? shape : conversion.onnx.cast(shape, type), index);
  });
};

const transpose: Converter = (node, conversion) => {
  const given = conversion.numbersInput(node, 1);
  const perm = given.map((axis) => (axis < 0 ? axis + given.length : axis));
  // A network that transposes its images itself asks for the very form in which they are.
  if (perm.join() === '0,3,1,2') conversion.set(node, conversion.imageInput(node));
  else if (perm.join() === '0,2,3,1') conversion.setChannelsFirst(node, conversion.input(node));
  else conversion.set(node, conversion.onnx.transpose(conversion.input(node), perm));
};

const rank: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const shape = onnx.shape(conversion.asLaidOut(node).tensor);
  conversion.set(node, onnx.cast(onnx.op('Size', shape), 'int32'));
};

const size: Converter = (node, conversion) => {
  const count = conversion.onnx.op('Size', conversion.asLaidOut(node).tensor);
  conversion.set(node, conversion.onnx.cast(count, typeAttr(node, 'out_type', 'int32')));
};

/** Not a product with 0 or 1, which would keep what is not a number. */
const like =
  (value: number): Converter =>
  (node, conversion) => {
    const shape = conversion.onnx.shape(conversion.input(node));
    conversion.set(node, conversion.onnx.op('Expand', conversion.scalar(node, value), shape));
  };

/** Compares with 0 … depth - 1, because ONNX's OneHot counts negative indices from the end. */
const oneHot: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const axis = intAttr(node, 'axis', -1);
  const indices = onnx.cast(conversion.input(node), 'int64');
  const depth = onnx.op('Reshape', conversion.int64Input(node, 1), []);
  const fits = onnx.op('GreaterOrEqual', depth, 0);
  const counted = guarded(onnx, depth, fits, 'the depth is negative');
  const places = onnx.op('Range', 0, counted, 1);
  const hot = onnx.op(
    'Equal',
    onnx.op('Unsqueeze', indices, [axis]),
    axis === -1 ? places : onnx.op('Reshape', places, alongAxis(onnx, indices, axis)),
  );
  const [on, off] = [conversion.input(node, 2), conversion.input(node, 3)];
  conversion.set(node, choose(node, onnx, hot, on, off));
};

/** [-1, 1, 1, …]: what makes a vector lie along `axis` of a tensor that has one axis more than `indices`. */
function alongAxis(onnx: OnnxGraph, indices: string, axis: number): string {
  const rank = onnx.shape(onnx.shape(indices));
  const behind = onnx.op('Expand', [1], onnx.op('Sub', rank, [axis]));
  return onnx.join([-1], behind);
}

const fill: Converter = (node, conversion) => {
  const shape = conversion.int64Input(node, 0);
  conversion.set(node, conversion.onnx.op('Expand', conversion.input(node, 1), shape));
};

const range: Converter = (node, conversion) => {
  const dtype = typeAttr(node, 'Tidx', 'int32');
  carrierOf(node, 'Range', dtype);
  const { onnx } = conversion;
  const [start, limit, delta] = [0, 1, 2].map((index) => conversion.input(node, index));
  if (start === undefined || limit === undefined || delta === undefined)
    throw unsupported(node, 'without bounds');
  const zero = onnx.scalar(dtype, 0);
  const both = (a: string, b: string) => onnx.op('And', a, b);
  // TensorFlow does not take a range that leads away from its end for an empty one.
  const rises = both(onnx.op('Greater', delta, zero), onnx.op('LessOrEqual', start, limit));
  const falls = both(onnx.op('Less', delta, zero), onnx.op('GreaterOrEqual', start, limit));
  const first = guarded(onnx, start, onnx.op('Or', rises, falls), 'the range leads away from its limit');
  if (!dtype.startsWith('float')) {
    conversion.set(node, onnx.op('Range', first, limit, delta));
    return;
  }
  // onnxruntime counts in double precision; TensorFlow counts in the bounds' precision.
  const steps = onnx.op('Div', onnx.op('Sub', limit, first), delta);
  const isFinite = onnx.op('Less', steps, onnx.scalar(dtype, 2 ** 31));
  const count = onnx.cast(guarded(onnx, onnx.op('Ceil', steps), isFinite, 'the range has no end'), 'int64');
  const places = onnx.op('Range', 0, count, 1);
  conversion.set(node, onnx.op('Add', first, onnx.op('Mul', onnx.cast(places, dtype), delta)));
};

const broadcastTo: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const shape = conversion.int64Input(node, 1);
  // ONNX would also enlarge the requested shape.
  const expanded = onnx.op('Expand', conversion.input(node), shape);
  const same = onnx.op('Equal', onnx.shape(expanded), shape);
  const otherwise = 'the tensor cannot be broadcast to this shape';
  conversion.set(node, guardedEach(onnx, expanded, same, otherwise));
};

const tile: Converter = (node, conversion) => {
  conversion.set(node, conversion.onnx.op('Tile', conversion.input(node), conversion.int64Input(node, 1)));
};

const identityN: Converter = (node, conversion) => {
  node.inputs.forEach((ref, index) => conversion.set(node, conversion.value(ref), index));
};

const reshapedShape: ShapeRule = (known) => {
  const target = known.sizes(1);
  const whole = known.shape(0);
  if (target === null) return null;
  const open = target.filter((size) => size < 0).length;
  const elements = whole === null ? OPEN : countOf(whole);
  if (open !== 1 || elements < 0) return target;
  const others = target.reduce((total, size) => (size < 0 ? total : total * size), 1);
  return target.map((size) => (size < 0 ? Math.floor(elements / others) : size));
};

const squeezedShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  if (whole === null) return null;
  const axes = intsAttr(known.node, 'squeeze_dims').map((axis) => fromFront(axis, whole));
  if (axes.length > 0) return whole.filter((_, axis) => !axes.includes(axis));
  return whole.includes(OPEN) ? null : whole.filter((size) => size !== 1);
};

const expandedShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const axis = known.number(1);
  if (whole === null || axis === undefined) return null;
  return whole.toSpliced(axis < 0 ? axis + whole.length + 1 : axis, 0, 1);
};

const transposedShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const order = known.numbers(1);
  return whole && order && order.map((axis) => whole.at(axis) ?? OPEN);
};

const tiledShape: ShapeRule = (known) => {
  const times = known.sizes(1);
  const whole = known.shape(0);
  const grown = (size: number, count: number) => (size < 0 || count < 0 ? OPEN : size * count);
  return whole && whole.map((size, axis) => grown(size, times?.[axis] ?? OPEN));
};

const oneHotShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const axis = intAttr(known.node, 'axis', -1);
  return whole && whole.toSpliced(axis < 0 ? whole.length : axis, 0, known.number(1) ?? OPEN);
};

/** Operations that speak of shapes. */
export const SHAPES: Family = {
  title: 'Shapes and fillings',
  takes: 'all element types',
  limits: [
    ['ExpandDims Transpose', 'axes must be constants'],
    ['Range', 'float32, float64, int16, int32, int64'],
  ],
  operations: {
    Reshape: [reshape, reshapedShape],
    Squeeze: [squeeze, squeezedShape],
    ExpandDims: [expandDims, expandedShape],
    Shape: [shapeOf, (known) => [known.shape(0)?.length ?? OPEN]],
    ShapeN: [shapesOf, (known) => known.shapes().map((shape) => [shape?.length ?? OPEN])],
    Transpose: [transpose, transposedShape],
    Rank: [rank, scalarShape],
    Size: [size, scalarShape],
    ZerosLike: [like(0), shapeLike(0)],
    OnesLike: [like(1), shapeLike(0)],
    OneHot: [oneHot, oneHotShape],
    Fill: [fill, (known) => known.sizes(0)],
    Range: [range, () => [OPEN]],
    BroadcastTo: [broadcastTo, (known) => known.sizes(1)],
    Tile: [tile, tiledShape],
    IdentityN: [identityN, (known) => known.shapes()],
  },
};
