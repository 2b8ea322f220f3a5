import { inputOf, intAttr, intsAttr, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { resolveSlice } from '../host/strided-slice.ts';
import type { Conversion, Converter } from './conversion.ts';

/** Larger than any size: ONNX cuts a slice at the tensor's end. */
const TO_THE_END = 2 ** 31 - 1;

const reshape: Converter = (node, conversion) => {
  const target = conversion.int64Input(node, 1);
  // In TensorFlow a 0 is a size, and in ONNX by default "as before".
  conversion.set(node, conversion.onnx.node('Reshape', [conversion.input(node), target], { allowzero: 1 }));
};

const squeeze: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const axes = intsAttr(node, 'squeeze_dims');
  if (conversion.isChannelsFirst(node) && [...axes].sort().join() === '1,2') {
    conversion.set(node, onnx.node('Squeeze', [conversion.imageInput(node), onnx.integers([2, 3])]));
    return;
  }
  const inputs = [conversion.input(node), ...(axes.length > 0 ? [onnx.integers(axes)] : [])];
  conversion.set(node, onnx.node('Squeeze', inputs));
};

const expandDims: Converter = (node, conversion) => {
  const axes = conversion.onnx.integers([conversion.constantInput(node, 1).data[0] ?? 0]);
  conversion.set(node, conversion.onnx.node('Unsqueeze', [conversion.input(node), axes]));
};

/** The shape in TensorFlow's order of axes, which needs no transposition of the tensor itself. */
const shapeOf: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const shape = conversion.isChannelsFirst(node)
    ? onnx.node('Gather', [onnx.node('Shape', [conversion.imageInput(node)]), onnx.integers([0, 2, 3, 1])])
    : onnx.node('Shape', [conversion.input(node)]);
  const type = typeAttr(node, 'out_type', 'int32');
  conversion.set(node, type === 'int64' ? shape : onnx.cast(shape, type));
};

const stridedSlice: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [begin = [], end = [], steps = []] = [1, 2, 3].map((index) =>
    Array.from(conversion.constantInput(node, index).data),
  );
  const items = resolveSlice(node, begin, end, steps);
  if (items.some(({ kind }, index) => kind === 'ellipsis' && index > 0))
    throw unsupported(node, 'ellipsis inside');
  const leading = items[0]?.kind === 'ellipsis';
  const axesFrom = leading ? -items.filter(({ kind }) => kind === 'range' || kind === 'index').length : 0;
  if (leading && items.some(({ kind }) => kind === 'newAxis'))
    throw unsupported(node, 'ellipsis and new axis');

  const slices: { axis: number; begin: number; end: number; step: number }[] = [];
  const dropped: number[] = [];
  const added: number[] = [];
  let axis = axesFrom;
  let place = 0;
  for (const item of items) {
    if (item.kind === 'newAxis') added.push(place++);
    else if (item.kind === 'index') {
      slices.push({ axis, begin: item.index, end: item.index === -1 ? TO_THE_END : item.index + 1, step: 1 });
      dropped.push(axis++);
    } else if (item.kind === 'range') {
      const backwards = item.step < 0;
      slices.push({
        axis: axis++,
        begin: item.begin ?? (backwards ? TO_THE_END : 0),
        end: item.end ?? (backwards ? -TO_THE_END : TO_THE_END),
        step: item.step,
      });
      place++;
    }
  }
  const kept = slices.filter((slice) => slice.begin !== 0 || slice.end !== TO_THE_END || slice.step !== 1);
  let result = conversion.input(node);
  if (kept.length > 0) {
    const column = (key: 'begin' | 'end' | 'axis' | 'step') => onnx.integers(kept.map((slice) => slice[key]));
    result = onnx.node('Slice', [result, column('begin'), column('end'), column('axis'), column('step')]);
  }
  if (dropped.length > 0) result = onnx.node('Squeeze', [result, onnx.integers(dropped)]);
  if (added.length > 0) result = onnx.node('Unsqueeze', [result, onnx.integers(added)]);
  conversion.set(node, result);
};

const slice: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const begin = Array.from(conversion.constantInput(node, 1).data);
  const size = Array.from(conversion.constantInput(node, 2).data);
  const end = begin.map((first, axis) => ((size[axis] ?? -1) < 0 ? TO_THE_END : first + (size[axis] ?? 0)));
  const axes = begin.map((_, axis) => axis);
  conversion.set(
    node,
    onnx.node('Slice', [
      conversion.input(node),
      onnx.integers(begin),
      onnx.integers(end),
      onnx.integers(axes),
    ]),
  );
};

const pack: Converter = (node, conversion) => {
  const axis = intAttr(node, 'axis');
  const axes = conversion.onnx.integers([axis]);
  const parts = node.inputs.map((ref) => conversion.onnx.node('Unsqueeze', [conversion.value(ref), axes]));
  conversion.set(node, conversion.onnx.node('Concat', parts, { axis }));
};

const unpack: Converter = (node, conversion) => {
  const count = intAttr(node, 'num');
  const axis = intAttr(node, 'axis');
  const parts = conversion.onnx.nodeOf(count, 'Split', [conversion.input(node)], {
    axis,
    num_outputs: count,
  });
  parts.forEach((part, index) => {
    conversion.set(node, conversion.onnx.node('Squeeze', [part, conversion.onnx.integers([axis])]), index);
  });
};

const concat: Converter = (node, conversion) => {
  const axis = conversion.constantInput(node, node.inputs.length - 1).data[0] ?? 0;
  const parts = { ...node, inputs: node.inputs.slice(0, -1) };
  joinParts(parts, axis, conversion);
};

/** `Concat` of TensorFlow 1 has the axis first. */
const concatV1: Converter = (node, conversion) => {
  joinParts(
    { ...node, inputs: node.inputs.slice(1) },
    conversion.constantInput(node, 0).data[0] ?? 0,
    conversion,
  );
};

function joinParts(parts: Parameters<Converter>[0], axis: number, conversion: Conversion): void {
  const { onnx } = conversion;
  const isImage = (_: unknown, index: number) => conversion.isChannelsFirst(parts, index);
  const images = parts.inputs.every(isImage) || (parts.inputs.some(isImage) && (axis === 3 || axis === -1));
  if (images && conversion.allChannelsFirst(parts)) {
    const names = parts.inputs.map((_, index) => conversion.imageInput(parts, index));
    conversion.setChannelsFirst(parts, onnx.node('Concat', names, { axis: channelsFirstAxis(axis) }));
    return;
  }
  const names = parts.inputs.map((ref) => conversion.value(ref));
  conversion.set(parts, onnx.node('Concat', names, { axis }));
}

/** Where axis `axis` of [batch, height, width, channels] lies in [batch, channels, height, width]. */
function channelsFirstAxis(axis: number): number {
  return [0, 2, 3, 1].at(axis) ?? 0;
}

const split: Converter = (node, conversion) => {
  const axis = conversion.constantInput(node, 0).data[0] ?? 0;
  const count = intAttr(node, 'num_split', 1);
  if (conversion.isChannelsFirst(node, 1)) {
    const attributes = { axis: channelsFirstAxis(axis), num_outputs: count };
    const images = conversion.onnx.nodeOf(count, 'Split', [conversion.imageInput(node, 1)], attributes);
    images.forEach((part, index) => conversion.setChannelsFirst(node, part, index));
    return;
  }
  const parts = conversion.onnx.nodeOf(count, 'Split', [conversion.input(node, 1)], {
    axis,
    num_outputs: count,
  });
  parts.forEach((part, index) => conversion.set(node, part, index));
};

const splitV: Converter = (node, conversion) => {
  const sizes = Array.from(conversion.constantInput(node, 1).data);
  if (sizes.some((size) => size < 0)) throw unsupported(node, 'size left open');
  const axis = conversion.constantInput(node, 2).data[0] ?? 0;
  const inputs = [conversion.input(node), conversion.onnx.integers(sizes)];
  const parts = conversion.onnx.nodeOf(sizes.length, 'Split', inputs, { axis });
  parts.forEach((part, index) => conversion.set(node, part, index));
};

const transpose: Converter = (node, conversion) => {
  const perm = Array.from(conversion.constantInput(node, 1).data);
  // A network that transposes its images itself asks for the very form in which they are.
  if (perm.join() === '0,3,1,2') conversion.set(node, conversion.imageInput(node));
  else if (perm.join() === '0,2,3,1') {
    conversion.setChannelsFirst(node, conversion.input(node));
  } else conversion.set(node, conversion.onnx.transpose(conversion.input(node), perm));
};

const gather: Converter = (node, conversion) => {
  if (intAttr(node, 'batch_dims') !== 0) throw unsupported(node, 'batch_dims');
  const axis = node.inputs.length > 2 ? (conversion.constantInput(node, 2).data[0] ?? 0) : 0;
  const inputs = [conversion.value(inputOf(node, 0)), conversion.value(inputOf(node, 1))];
  conversion.set(node, conversion.onnx.node('Gather', inputs, { axis }));
};

const fill: Converter = (node, conversion) => {
  const shape = conversion.int64Input(node, 0);
  conversion.set(node, conversion.onnx.node('Expand', [conversion.input(node, 1), shape]));
};

const range: Converter = (node, conversion) => {
  const inputs = [0, 1, 2].map((index) => conversion.input(node, index));
  conversion.set(node, conversion.onnx.node('Range', inputs));
};

const broadcastTo: Converter = (node, conversion) => {
  conversion.set(
    node,
    conversion.onnx.node('Expand', [conversion.input(node), conversion.int64Input(node, 1)]),
  );
};

const tile: Converter = (node, conversion) => {
  conversion.set(
    node,
    conversion.onnx.node('Tile', [conversion.input(node), conversion.int64Input(node, 1)]),
  );
};

const identityN: Converter = (node, conversion) => {
  node.inputs.forEach((ref, index) => conversion.set(node, conversion.value(ref), index));
};

/** Operations that move elements or speak of shapes. */
export const SHAPES: Readonly<Record<string, Converter>> = {
  Reshape: reshape,
  Squeeze: squeeze,
  ExpandDims: expandDims,
  Shape: shapeOf,
  StridedSlice: stridedSlice,
  Slice: slice,
  Pack: pack,
  Unpack: unpack,
  ConcatV2: concat,
  Concat: concatV1,
  Split: split,
  SplitV: splitV,
  Transpose: transpose,
  GatherV2: gather,
  Gather: gather,
  ResourceGather: gather,
  Fill: fill,
  Range: range,
  BroadcastTo: broadcastTo,
  Tile: tile,
  IdentityN: identityN,
};
