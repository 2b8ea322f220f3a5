import { resolveSlice } from '../host/strided-slice.ts';
import { boolAttr, type GraphNode, intAttr, intsAttr, textAttr } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { IMAGE_SHAPES } from './image-shapes.ts';
import {
  broadcast,
  broadcastAll,
  type Infer,
  input,
  type KnownTensors,
  like,
  named,
  normal,
  number,
  numbers,
  OPEN,
  scalar,
  sizes,
} from './known-tensors.ts';
import { LIST_SHAPES } from './list-shapes.ts';
import { REARRANGED_SHAPES } from './rearranged-shapes.ts';
import { SCATTERED_SHAPES } from './scattered-shapes.ts';
import { VOLUME_SHAPES } from './volume-shapes.ts';

/**
 * Shapes of a node's outputs as far as the graph determines them: null for an unknown rank, -1 for an unknown size. Mismatches
 * are not errors here; they are found when the graph runs.
 */
export function inferShapes(node: GraphNode, known: KnownTensors): readonly Shape[] {
  if (node.value !== undefined) return [node.value.shape];
  const inferred = INFERENCES.get(node.op)?.(node, known) ?? null;
  return isList(inferred) ? inferred : [inferred];
}

function isList(inferred: Shape | readonly Shape[]): inferred is readonly Shape[] {
  return inferred !== null && inferred.some((item) => typeof item !== 'number');
}

/** Where channels and the two sizes of an image lie. */
function imageAxes(node: GraphNode): readonly [channels: number, height: number, width: number] {
  return textAttr(node, 'data_format', 'NHWC') === 'NCHW' ? [1, 2, 3] : [3, 1, 2];
}

const windows =
  (channelsOf: (images: readonly number[], filter: Shape) => number, kernel: 'filter' | 'ksize'): Infer =>
  (node, known) => {
    const images = input(node, 0, known);
    if (images?.length !== 4) return null;
    const filter = kernel === 'filter' ? input(node, 1, known) : null;
    const [channels, ...places] = imageAxes(node);
    const result = [...images];
    result[channels] = channelsOf([images[channels] ?? OPEN], filter);
    places.forEach((axis, index) => {
      const size = images[axis] ?? OPEN;
      const window =
        kernel === 'filter' ? (filter?.[index] ?? OPEN) : (intsAttr(node, 'ksize')[axis] ?? OPEN);
      const stride = intsAttr(node, 'strides')[axis] ?? 1;
      const reach = window < 0 ? OPEN : (window - 1) * (intsAttr(node, 'dilations')[axis] ?? 1) + 1;
      const padding = textAttr(node, 'padding');
      const [before = 0, after = 0] = intsAttr(node, 'explicit_paddings').slice(2 * axis, 2 * axis + 2);
      const padded = padding === 'EXPLICIT' ? size + before + after : size;
      if (size < 0 || (padding !== 'SAME' && reach < 0)) result[axis] = OPEN;
      else if (padding === 'SAME') result[axis] = Math.ceil(size / stride);
      else result[axis] = Math.max(0, Math.ceil((padded - reach + 1) / stride));
    });
    return result;
  };

const transposedWindows: Infer = (node, known) => {
  const wanted = sizes(node, 0, known);
  if (wanted?.length === 4) return wanted;
  const images = input(node, 2, known);
  if (images?.length !== 4) return null;
  const [channels, height, width] = imageAxes(node);
  const result = [...images];
  result[channels] = input(node, 1, known)?.[2] ?? OPEN;
  [result[height], result[width]] = [wanted?.[0] ?? OPEN, wanted?.[1] ?? OPEN];
  return result;
};

const product: Infer = (node, known) => {
  const [left, right] = [input(node, 0, known), input(node, 1, known)];
  if (left === null || right === null || left.length < 2 || right.length < 2) return null;
  const rows = boolAttr(node, 'transpose_a') || boolAttr(node, 'adj_x') ? -1 : -2;
  const columns = boolAttr(node, 'transpose_b') || boolAttr(node, 'adj_y') ? -2 : -1;
  const batch = broadcast([left.slice(0, -2), right.slice(0, -2)]);
  return batch && [...batch, left.at(rows) ?? OPEN, right.at(columns) ?? OPEN];
};

const reduction: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axes = numbers(node, 1, known);
  const keep = boolAttr(node, 'keep_dims');
  if (whole === null || axes === null) return null;
  const normal = axes.map((axis) => (axis < 0 ? axis + whole.length : axis));
  return keep
    ? whole.map((size, axis) => (normal.includes(axis) ? 1 : size))
    : whole.filter((_, axis) => !normal.includes(axis));
};

const argument: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = number(node, 1, known);
  return whole === null || axis === undefined ? null : whole.filter((_, at) => at !== normal(axis, whole));
};

function countOf(shape: readonly number[]): number {
  return shape.some((size) => size < 0) ? OPEN : shape.reduce((total, size) => total * size, 1);
}

const reshape: Infer = (node, known) => {
  const target = sizes(node, 1, known);
  const whole = input(node, 0, known);
  if (target === null) return null;
  const open = target.filter((size) => size < 0).length;
  const elements = whole === null ? OPEN : countOf(whole);
  if (open !== 1 || elements < 0) return target;
  const others = target.reduce((total, size) => (size < 0 ? total : total * size), 1);
  return target.map((size) => (size < 0 ? Math.floor(elements / others) : size));
};

const squeeze: Infer = (node, known) => {
  const whole = input(node, 0, known);
  if (whole === null) return null;
  const axes = intsAttr(node, 'squeeze_dims').map((axis) => normal(axis, whole));
  if (axes.length > 0) return whole.filter((_, axis) => !axes.includes(axis));
  return whole.includes(OPEN) ? null : whole.filter((size) => size !== 1);
};

const expandDims: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = number(node, 1, known);
  if (whole === null || axis === undefined) return null;
  return whole.toSpliced(axis < 0 ? axis + whole.length + 1 : axis, 0, 1);
};

const transpose: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const order = numbers(node, 1, known);
  return whole && order && order.map((axis) => whole.at(axis) ?? OPEN);
};

const pack: Infer = (node, known) => {
  const part = broadcast(node.inputs.map((ref) => known.shape(ref)));
  const axis = intAttr(node, 'axis');
  return part && part.toSpliced(axis < 0 ? axis + part.length + 1 : axis, 0, node.inputs.length);
};

const unpack: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = intAttr(node, 'axis');
  const part = whole && whole.filter((_, at) => at !== normal(axis, whole));
  return Array.from({ length: intAttr(node, 'num') }, () => part);
};

const concat =
  (axisIndex: number): Infer =>
  (node, known) => {
    const axis = number(node, axisIndex, known);
    const parts = node.inputs.toSpliced(axisIndex, 1).map((ref) => known.shape(ref));
    const [first] = parts;
    if (first === undefined || first === null || axis === undefined || parts.includes(null)) return null;
    const at = normal(axis, first);
    const along = parts.map((part) => part?.[at] ?? OPEN);
    const total = along.includes(OPEN) ? OPEN : along.reduce((sum, size) => sum + size, 0);
    return first.map((size, place) =>
      place === at ? total : size === OPEN ? Math.max(...parts.map((part) => part?.[place] ?? OPEN)) : size,
    );
  };

const split: Infer = (node, known) => {
  const whole = input(node, 1, known);
  const axis = number(node, 0, known);
  const count = intAttr(node, 'num_split', 1);
  const part =
    whole === null || axis === undefined
      ? null
      : whole.map((size, at) => (at === normal(axis, whole) && size > 0 ? size / count : size));
  return Array.from({ length: count }, () => part);
};

const splitV: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = number(node, 2, known);
  const lengths = sizes(node, 1, known);
  return Array.from({ length: intAttr(node, 'num_split', 1) }, (_, index) =>
    whole === null || axis === undefined ? null : whole.with(normal(axis, whole), lengths?.[index] ?? OPEN),
  );
};

const gather: Infer = (node, known) => {
  const [params, indices] = [input(node, 0, known), input(node, 1, known)];
  const batch = intAttr(node, 'batch_dims');
  const first = node.op === 'ResourceGather' ? batch : 0;
  const axis = node.inputs.length > 2 ? number(node, 2, known) : first;
  if (params === null || indices === null || axis === undefined) return null;
  const inner = indices.slice(batch < 0 ? batch + indices.length : batch);
  return params.toSpliced(normal(axis, params), 1, ...inner);
};

const gatherNd: Infer = (node, known) => {
  const [params, indices] = [input(node, 0, known), input(node, 1, known)];
  const depth = indices?.at(-1) ?? OPEN;
  return params === null || indices === null || depth < 0
    ? null
    : [...indices.slice(0, -1), ...params.slice(depth)];
};

const pad: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const amounts = numbers(node, 1, known);
  if (whole === null) return null;
  return whole.map((size, axis) => {
    const [before, after] = [amounts?.[2 * axis], amounts?.[2 * axis + 1]];
    return size < 0 || before === undefined || after === undefined ? OPEN : size + before + after;
  });
};

const resize: Infer = (node, known) => {
  const images = input(node, 0, known);
  const wanted = sizes(node, 1, known);
  if (images?.length !== 4) return null;
  const [batch = OPEN, , , channels = OPEN] = images;
  return [batch, wanted?.[0] ?? OPEN, wanted?.[1] ?? OPEN, channels];
};

const stridedSlice: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const [begin, end, steps] = [1, 2, 3].map((index) => numbers(node, index, known));
  if (whole === null || !steps) return null;
  // Which axes are left depends on the masks alone.
  const unknown = steps.map(() => 0);
  const items = resolveSlice(node, begin ?? unknown, end ?? unknown, steps);
  const taken = items.filter(({ kind }) => kind === 'range' || kind === 'index').length;
  const result: number[] = [];
  let axis = 0;
  for (const item of items) {
    if (item.kind === 'newAxis') result.push(1);
    else if (item.kind === 'index') axis++;
    else if (item.kind === 'ellipsis') {
      const rest = whole.length - taken;
      result.push(...whole.slice(axis, axis + rest));
      axis += rest;
    } else {
      const full = item.begin === null && item.end === null && item.step === 1;
      result.push(full ? (whole[axis] ?? OPEN) : OPEN);
      axis++;
    }
  }
  return [...result, ...whole.slice(axis)];
};

const slice: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const counts = numbers(node, 2, known);
  const begin = numbers(node, 1, known);
  if (whole === null || counts === null) return whole && whole.map(() => OPEN);
  return whole.map((size, axis) => {
    const [count, first] = [counts[axis] ?? OPEN, begin?.[axis]];
    if (count >= 0) return count;
    return size < 0 || first === undefined ? OPEN : size - first;
  });
};

const blocks =
  (grow: boolean): Infer =>
  (node, known) => {
    const images = input(node, 0, known);
    if (images?.length !== 4) return null;
    const size = intAttr(node, 'block_size', 2);
    const [channels] = imageAxes(node);
    return images.map((length, axis) => {
      if (length < 0 || axis === 0) return length;
      const factor = axis === channels ? size * size : size;
      return (axis === channels) === grow ? length / factor : length * factor;
    });
  };

const einsum: Infer = (node, known) => {
  const [left = '', right = ''] = textAttr(node, 'equation').split('->');
  if (left.includes('.')) return null;
  const sizes = new Map<string, number>();
  left.split(',').forEach((term, index) => {
    const shape = input(node, index, known);
    [...term].forEach((letter, axis) => {
      if ((sizes.get(letter) ?? OPEN) < 0) sizes.set(letter, shape?.[axis] ?? OPEN);
    });
  });
  return [...right].map((letter) => sizes.get(letter) ?? OPEN);
};

const INFERENCES: ReadonlyMap<string, Infer> = new Map([
  ...LIST_SHAPES,
  ...named(
    'FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel Bitcast',
    like(0),
  ),
  ...named('Identity StopGradient PreventGradient Snapshot CheckNumerics Cast ZerosLike OnesLike', like(0)),
  ...named(
    'Relu Relu6 LeakyRelu Elu Selu Sigmoid Softplus Softsign Tanh Sin Cos Exp Log Log1p Sqrt Rsqrt',
    like(0),
  ),
  ...named(
    'Reciprocal Inv Square Neg Abs Sign Floor Ceil Round Rint Erf Erfc IsNan IsInf LogicalNot',
    like(0),
  ),
  ...named(
    'FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 LRN Softmax LogSoftmax Cumsum Cumprod BiasAdd',
    like(0),
  ),
  ...named('Add AddV2 AddN Sub Mul RealDiv Div DivNoNan FloorDiv FloorMod Maximum Minimum Pow', broadcastAll),
  ...named(
    'SquaredDifference Less LessEqual Greater GreaterEqual Equal NotEqual LogicalAnd LogicalOr',
    broadcastAll,
  ),
  ...named('SelectV2 ClipByValue', broadcastAll),
  ...named('Select', like(1)),
  ...named(
    'Conv2D',
    windows((_, filter) => filter?.[3] ?? OPEN, 'filter'),
  ),
  ...named(
    'DepthwiseConv2dNative',
    windows((_, filter) => (filter ? countOf(filter.slice(2)) : OPEN), 'filter'),
  ),
  ...named(
    'MaxPool AvgPool',
    windows(([channels = OPEN]) => channels, 'ksize'),
  ),
  ...named('Conv2DBackpropInput', transposedWindows),
  ...named('MatMul BatchMatMul BatchMatMulV2 BatchMatMulV3', product),
  ...named('Mean Sum Max Min Prod All Any', reduction),
  ...named('ArgMax ArgMin', argument),
  ...named('Reshape', reshape),
  ...named('Squeeze', squeeze),
  ...named('ExpandDims', expandDims),
  ...named('Transpose', transpose),
  ...named('Shape', (node, known) => [input(node, 0, known)?.length ?? OPEN]),
  ...named('ShapeN', (node, known) => node.inputs.map((ref) => [known.shape(ref)?.length ?? OPEN])),
  ...named('Rank Size', scalar),
  ...named('Fill', (node, known) => sizes(node, 0, known)),
  ...named('BroadcastTo', (node, known) => sizes(node, 1, known)),
  ...named('Range', () => [OPEN]),
  ...named('Tile', (node, known) => {
    const times = sizes(node, 1, known);
    const whole = input(node, 0, known);
    const grown = (size: number, count: number) => (size < 0 || count < 0 ? OPEN : size * count);
    return whole && whole.map((size, axis) => grown(size, times?.[axis] ?? OPEN));
  }),
  ...named('OneHot', (node, known) => {
    const whole = input(node, 0, known);
    const axis = intAttr(node, 'axis', -1);
    return whole && whole.toSpliced(axis < 0 ? whole.length : axis, 0, number(node, 1, known) ?? OPEN);
  }),
  ...named('TopKV2', (node, known) => {
    const whole = input(node, 0, known);
    const best = whole && [...whole.slice(0, -1), number(node, 1, known) ?? OPEN];
    return [best, best];
  }),
  ...named('IdentityN', (node, known) => node.inputs.map((ref) => known.shape(ref))),
  ...named('EnsureShape', (node, known) => {
    const declared = node.attributes.get('shape')?.shape ?? null;
    const given = input(node, 0, known);
    return declared === null
      ? given
      : declared.map((size, axis) => (size < 0 ? (given?.[axis] ?? OPEN) : size));
  }),
  ...named('Pack', pack),
  ...named('Unpack', unpack),
  ...named('ConcatV2', concat(-1)),
  ...named('Concat', concat(0)),
  ...named('Split', split),
  ...named('SplitV', splitV),
  ...named('Gather GatherV2 ResourceGather', gather),
  ...named('GatherNd', gatherNd),
  ...named('Pad PadV2 MirrorPad', pad),
  ...named('ResizeBilinear ResizeNearestNeighbor', resize),
  ...named('StridedSlice', stridedSlice),
  ...named('Slice', slice),
  ...named('SpaceToDepth', blocks(false)),
  ...named('DepthToSpace', blocks(true)),
  ...named('Einsum', einsum),
  ...IMAGE_SHAPES,
  ...REARRANGED_SHAPES,
  ...SCATTERED_SHAPES,
  ...VOLUME_SHAPES,
  ...named('Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Expm1 IsFinite Invert', like(0)),
  ...named('Atan2 Xlogy Xlog1py Xdivy MulNoNan BitwiseAnd BitwiseOr BitwiseXor', broadcastAll),
  ...named('L2Loss', scalar),
]);
