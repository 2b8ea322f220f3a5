import { type GraphNode, inputOf, textAttr, typeAttr } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { Converter } from './conversion.ts';
import { NOWHERE } from './gathering.ts';
import { guardedEach } from './guard.ts';
import { onKernel } from './kernels.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import { alike, type Family } from './operation.ts';

interface Amounts {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** TensorFlow pairs before and after by axis. @throws {BrokenModel} if one is negative, which ONNX would cut off */
function amountsOf(node: GraphNode, amounts: readonly number[]): Amounts {
  if (amounts.some((amount) => amount < 0))
    throw new BrokenModel(`Node ${node.name} (${node.op}): paddings [${amounts.join()}]`);
  return {
    before: amounts.filter((_, index) => index % 2 === 0),
    after: amounts.filter((_, index) => index % 2 === 1),
  };
}

/** ONNX lists all befores, then all afters. */
const pad: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const value = node.inputs.length > 2 ? [conversion.input(node, 2)] : [];
  const build = (input: string, pads: string) =>
    onKernel(
      node,
      onnx,
      'Pad',
      typeAttr(node, 'T', 'float32'),
      [input, ...value],
      ([carried = '', ...fill]) => onnx.op('Pad', carried, pads, ...fill),
    );
  const known = conversion.numbers(inputOf(node, 1));
  if (known?.length === 0 || conversion.shape(inputOf(node, 1))?.[0] === 0) {
    conversion.set(node, conversion.input(node));
    return;
  }
  if (known === null) {
    const given = conversion.int64Input(node, 1);
    const flat = onnx.op('Reshape', onnx.transpose(given, [1, 0]), [-1]);
    const pads = guardedEach(onnx, flat, onnx.op('GreaterOrEqual', flat, [0]), 'a padding is negative');
    conversion.set(node, build(conversion.input(node), pads));
    return;
  }
  const { before, after } = amountsOf(node, known);
  const inOrder = (order: readonly number[]) =>
    onnx.integers([...order.map((axis) => before[axis] ?? 0), ...order.map((axis) => after[axis] ?? 0)]);
  if (before.length === 4 && conversion.isChannelsFirst(node))
    conversion.setChannelsFirst(node, build(conversion.imageInput(node), inOrder([0, 3, 1, 2])));
  else conversion.set(node, build(conversion.input(node), inOrder([...before.keys()])));
};

/**
 * Each axis is gathered by mirrored indices: REFLECT leaves the border pixel out, SYMMETRIC repeats it. Larger paddings than
 * the axis has pixels lead to indices out of range, and so to an error.
 */
const mirror: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const { before, after } = amountsOf(node, conversion.numbersInput(node, 1));
  const repeat = textAttr(node, 'mode') === 'REFLECT' ? 0 : 1;
  const { tensor, place, set } = conversion.asLaidOut(node);
  let result = tensor;
  before.forEach((first, axis) => {
    const last = after[axis] ?? 0;
    if (first === 0 && last === 0) return;
    const at = place(axis);
    const places = mirroredPlaces(onnx, onnx.size(result, at), first, last, repeat);
    result = onnx.node('Gather', [result, places], { axis: at });
  });
  set(result);
};

/** Indices of an axis with `first` mirrored ones before and `last` behind; `repeat` is 1 where the border pixel is mirrored as well. */
function mirroredPlaces(onnx: OnnxGraph, size: string, first: number, last: number, repeat: 0 | 1): string {
  const number = (value: number) => onnx.integers([value], []);
  const places = onnx.op('Range', number(-first), onnx.op('Add', size, number(last)), number(1));
  const before = onnx.op('Sub', number(-repeat), places);
  const top = onnx.op('Sub', onnx.op('Mul', size, number(2)), number(2 - repeat));
  const behind = onnx.op('Sub', top, places);
  const inside = onnx.op('Where', onnx.op('GreaterOrEqual', places, size), behind, places);
  const folded = onnx.op('Where', onnx.op('Less', places, number(0)), before, inside);
  return onnx.op('Where', onnx.op('Less', folded, number(0)), number(NOWHERE), folded);
}

const paddedShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const amounts = known.numbers(1);
  if (whole === null) return null;
  return whole.map((size, axis) => {
    const [before, after] = [amounts?.[2 * axis], amounts?.[2 * axis + 1]];
    return size < 0 || before === undefined || after === undefined ? OPEN : size + before + after;
  });
};

/** Operations that put something around a tensor. */
export const PADDINGS: Family = {
  title: 'Paddings',
  takes: 'all element types; REFLECT and SYMMETRIC',
  limits: [['MirrorPad', 'the amounts must be constants']],
  operations: { ...alike('Pad PadV2', pad, paddedShape), MirrorPad: [mirror, paddedShape] },
};
