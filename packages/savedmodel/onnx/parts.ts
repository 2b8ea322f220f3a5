import { intAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guarded } from './guard.ts';
import { broadcast, fromFront, OPEN, type ShapeRule } from './known-tensors.ts';
import type { Family } from './operation.ts';

const pack: Converter = (node, conversion) => {
  const axis = intAttr(node, 'axis');
  const axes = conversion.onnx.integers([axis]);
  const parts = node.inputs.map((ref) => conversion.onnx.op('Unsqueeze', conversion.value(ref), axes));
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
    conversion.set(node, conversion.onnx.op('Squeeze', part, [axis]), index);
  });
};

const concat: Converter = (node, conversion) => {
  const axis = conversion.numbersInput(node, node.inputs.length - 1)[0] ?? 0;
  const parts = { ...node, inputs: node.inputs.slice(0, -1) };
  joinParts(parts, axis, conversion);
};

/** `Concat` of TensorFlow 1 has the axis first. */
const concatV1: Converter = (node, conversion) => {
  joinParts({ ...node, inputs: node.inputs.slice(1) }, conversion.numbersInput(node, 0)[0] ?? 0, conversion);
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
  const axis = conversion.numbersInput(node, 0)[0] ?? 0;
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
  const { onnx } = conversion;
  const sizes = conversion.numbersInput(node, 1);
  const axis = conversion.numbersInput(node, 2)[0] ?? 0;
  if (intAttr(node, 'num_split', sizes.length) !== sizes.length)
    throw unsupported(node, `${sizes.length} sizes of ${intAttr(node, 'num_split')} parts`);
  if (sizes.length === 1) {
    // One part is the whole, which onnxruntime does not compare with the size.
    const [size = 0] = sizes;
    const input = conversion.input(node);
    const along = onnx.size(input, axis);
    const fits = onnx.op('Equal', along, size);
    conversion.set(node, guarded(onnx, input, fits, 'the sizes do not add up to the whole'));
    return;
  }
  let lengths = onnx.integers(sizes);
  const open = sizes.findIndex((size) => size < 0);
  if (open >= 0) {
    // What the others leave of the axis.
    const along = onnx.op('Gather', onnx.shape(conversion.input(node)), [axis]);
    const others = sizes.reduce((sum, size) => sum + Math.max(size, 0), 0);
    const rest = onnx.op('Sub', along, [others]);
    const each = sizes.map((size) => (size < 0 ? rest : onnx.integers([size])));
    lengths = onnx.join(...each);
  }
  const parts = onnx.nodeOf(sizes.length, 'Split', [conversion.input(node), lengths], { axis });
  parts.forEach((part, index) => conversion.set(node, part, index));
};

const packedShape: ShapeRule = (known) => {
  const part = broadcast(known.shapes());
  const axis = intAttr(known.node, 'axis');
  return part && part.toSpliced(axis < 0 ? axis + part.length + 1 : axis, 0, known.node.inputs.length);
};

const unpackedShapes: ShapeRule = (known) => {
  const whole = known.shape(0);
  const axis = intAttr(known.node, 'axis');
  const part = whole && whole.filter((_, at) => at !== fromFront(axis, whole));
  return Array.from({ length: intAttr(known.node, 'num') }, () => part);
};

const joinedShape =
  (axisIndex: number): ShapeRule =>
  (known) => {
    const axis = known.number(axisIndex);
    const parts = known.shapes().toSpliced(axisIndex, 1);
    const [first] = parts;
    if (first === undefined || first === null || axis === undefined || parts.includes(null)) return null;
    const at = fromFront(axis, first);
    const along = parts.map((part) => part?.[at] ?? OPEN);
    const total = along.includes(OPEN) ? OPEN : along.reduce((sum, size) => sum + size, 0);
    return first.map((size, place) =>
      place === at ? total : size === OPEN ? Math.max(...parts.map((part) => part?.[place] ?? OPEN)) : size,
    );
  };

const splitShapes: ShapeRule = (known) => {
  const whole = known.shape(1);
  const axis = known.number(0);
  const count = intAttr(known.node, 'num_split', 1);
  const part =
    whole === null || axis === undefined
      ? null
      : whole.map((size, at) => (at === fromFront(axis, whole) && size > 0 ? size / count : size));
  return Array.from({ length: count }, () => part);
};

const splitVShapes: ShapeRule = (known) => {
  const whole = known.shape(0);
  const axis = known.number(2);
  const lengths = known.sizes(1);
  return Array.from({ length: intAttr(known.node, 'num_split', 1) }, (_, index) =>
    whole === null || axis === undefined
      ? null
      : whole.with(fromFront(axis, whole), lengths?.[index] ?? OPEN),
  );
};

/** Operations that put tensors together and take them apart. */
export const PARTS: Family = {
  title: 'Parts put together and taken apart',
  takes: 'all element types',
  limits: [['Concat ConcatV2 Split SplitV', 'axis and sizes must be constants']],
  operations: {
    Pack: [pack, packedShape],
    Unpack: [unpack, unpackedShapes],
    ConcatV2: [concat, joinedShape(-1)],
    Concat: [concatV1, joinedShape(0)],
    Split: [split, splitShapes],
    SplitV: [splitV, splitVShapes],
  },
};
