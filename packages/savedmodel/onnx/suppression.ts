import {
  boolAttr,
  floatAttr,
  type GraphNode,
  inputOf,
  typeAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { nonNegative } from './guard.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import { alike, type Family } from './operation.ts';

/** A scalar input as a tensor of one element. */
function one(onnx: OnnxGraph, scalar: string): string {
  return onnx.op('Reshape', scalar, [1]);
}

/** How many boxes may be kept. */
function limitOf(node: GraphNode, conversion: Conversion, index: number): string {
  const { onnx } = conversion;
  const given = one(onnx, conversion.int64Input(node, index));
  return nonNegative(onnx, given, `input ${index}, a number of boxes, is negative`);
}

/** A soft suppression would lower scores step by step. */
function refuseSoft(node: GraphNode, conversion: Conversion): void {
  const sigma = conversion.numbers(inputOf(node, 5));
  if (sigma?.[0] !== 0) throw unsupported(node, 'with a sigma above 0');
}

/** Boxes that overlap a better one too much are dropped; of equal scores the first is better, in both. */
const suppress: Converter = (node, conversion) => {
  const { onnx } = conversion;
  if (node.op === 'NonMaxSuppressionV5') refuseSoft(node, conversion);
  const dtype = typeAttr(node, 'T', 'float32');
  const float = (index: number) => {
    const tensor = conversion.input(node, index);
    return dtype === 'float32' ? tensor : onnx.cast(tensor, 'float32');
  };
  const boxes = onnx.op('Unsqueeze', float(0), [0]);
  const scores = onnx.op('Unsqueeze', float(1), [0, 1]);
  const limit = limitOf(node, conversion, 2);
  const overlap =
    node.op === 'NonMaxSuppression'
      ? onnx.scalar('float32', floatAttr(node, 'iou_threshold', 0.5))
      : onnx.cast(conversion.input(node, 3), 'float32');
  const threshold =
    node.inputs.length > 4 ? [one(onnx, onnx.cast(conversion.input(node, 4), 'float32'))] : [];
  const rows = onnx.op('NonMaxSuppression', boxes, scores, limit, one(onnx, overlap), ...threshold);
  const found = onnx.node('Gather', [rows, 2], { axis: 1 });
  const count = onnx.shape(found);
  const missing = onnx.op('Sub', limit, count);
  const isPadded = boolAttr(node, 'pad_to_max_output_size');
  const pads = onnx.join([0], missing);
  const kept = (tensor: string) => (isPadded ? onnx.op('Pad', tensor, pads) : tensor);
  conversion.set(node, onnx.cast(kept(found), 'int32'));
  const valid = onnx.cast(onnx.op('Reshape', count, []), 'int32');
  if (node.op === 'NonMaxSuppressionV4') conversion.set(node, valid, 1);
  if (node.op === 'NonMaxSuppressionV5') {
    conversion.set(node, kept(onnx.op('Gather', conversion.input(node, 1), found)), 1);
    conversion.set(node, valid, 2);
  }
};

function sizeOf(onnx: OnnxGraph, tensor: string, axis: number): string {
  return onnx.op('Slice', onnx.shape(tensor), [axis], [axis + 1]);
}

/** A bool tensor of this shape, [lists, boxes]: which boxes are in the rows of a suppression. */
function marked(onnx: OnnxGraph, rows: string, shape: string): string {
  const places = onnx.node('Gather', [rows, [0, 2]], { axis: 1 });
  const none = onnx.op('Expand', onnx.scalar('bool', 0), shape);
  const yes = onnx.op('Expand', onnx.scalar('bool', 1), sizeOf(onnx, rows, 0));
  return onnx.op('ScatterND', none, places, yes);
}

/** A tensor of `rank` axes with `missing` zeros at the end of axis 1. */
function padded(onnx: OnnxGraph, tensor: string, rank: number, missing: string): string {
  const before = onnx.integers(new Array<number>(rank + 1).fill(0));
  const behind = onnx.integers(new Array<number>(rank - 2).fill(0));
  return onnx.op('Pad', tensor, onnx.join(before, missing, behind));
}

/**
 * Suppression in each class of each image, then the best of all classes of an image: their scores stay where they are, the
 * rest fall behind.
 */
const combined: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const perClass = limitOf(node, conversion, 2);
  const given = limitOf(node, conversion, 3);
  const boxes = conversion.input(node, 0);
  const scores = conversion.input(node, 1);
  const batch = sizeOf(onnx, scores, 0);
  const count = sizeOf(onnx, scores, 1);
  const classes = sizeOf(onnx, scores, 2);
  const join = (sizes: readonly string[]) => onnx.join(...sizes);
  // [batch, boxes, 1 or classes, 4] → [batch × classes, boxes, 4]
  const four = onnx.integers([4]);
  const spread = onnx.op('Expand', onnx.transpose(boxes, [0, 2, 1, 3]), join([batch, classes, count, four]));
  const lists = onnx.op('Mul', batch, classes);
  const listed = onnx.reshape(spread, join([lists, count, four]));
  const turned = onnx.transpose(scores, [0, 2, 1]);
  const ranked = onnx.reshape(turned, join([lists, onnx.integers([1]), count]));
  const rows = onnx.op(
    'NonMaxSuppression',
    listed,
    ranked,
    perClass,
    one(onnx, conversion.input(node, 4)),
    one(onnx, conversion.input(node, 5)),
  );
  const flat = onnx.reshape(ranked, join([lists, count]));
  const isKept = marked(onnx, rows, join([lists, count]));
  const perImage = join([batch, onnx.op('Mul', classes, count)]);
  const byImage = (tensor: string) => onnx.reshape(tensor, perImage);
  const judged = byImage(onnx.op('Where', isKept, flat, onnx.scalar('float32', -Infinity)));
  const all = onnx.op('Mul', perClass, classes);
  const total = boolAttr(node, 'pad_per_class') ? onnx.op('Min', given, all) : given;
  const most = onnx.op('Min', total, sizeOf(onnx, judged, 1));
  const [best = '', where = ''] = onnx.nodeOf(2, 'TopK', [judged, most]);
  const isBest = onnx.node('GatherElements', [onnx.cast(byImage(isKept), 'int32'), where], { axis: 1 });
  const isValid = onnx.cast(isBest, 'bool');
  const zero = onnx.scalar('float32', 0);
  const missing = onnx.op('Sub', total, most);
  const pad = (tensor: string, rank: number) => padded(onnx, tensor, rank, missing);
  const classOf = onnx.op('Div', where, count);
  const perImageBoxes = onnx.reshape(spread, join([perImage, four]));
  const places4 = onnx.op('Expand', onnx.op('Unsqueeze', where, [-1]), join([onnx.shape(where), four]));
  const chosen = onnx.node('GatherElements', [perImageBoxes, places4], { axis: 1 });
  const clipped = boolAttr(node, 'clip_boxes', true)
    ? onnx.op('Clip', chosen, zero, onnx.scalar('float32', 1))
    : chosen;
  const isValidBox = onnx.op('Unsqueeze', isValid, [-1]);
  const valid = onnx.node('ReduceSum', [isBest, [1]], { keepdims: 0 });
  conversion.set(node, pad(onnx.op('Where', isValidBox, clipped, zero), 3), 0);
  conversion.set(node, pad(onnx.op('Where', isValid, best, zero), 2), 1);
  conversion.set(node, pad(onnx.op('Where', isValid, onnx.cast(classOf, 'float32'), zero), 2), 2);
  conversion.set(node, valid, 3);
};

const suppressedShapes: ShapeRule = (known) => {
  const most = known.number(2);
  const isPadded = boolAttr(known.node, 'pad_to_max_output_size');
  const kept = [isPadded && most !== undefined ? most : OPEN];
  if (known.node.op === 'NonMaxSuppressionV4') return [kept, []];
  return known.node.op === 'NonMaxSuppressionV5' ? [kept, kept, []] : kept;
};

const combinedShapes: ShapeRule = (known) => {
  const batch = known.shape(0)?.[0] ?? OPEN;
  const total = known.number(3) ?? OPEN;
  const most = boolAttr(known.node, 'pad_per_class') ? OPEN : total;
  return [[batch, most, 4], [batch, most], [batch, most], [batch]];
};

/** Operations that choose among boxes. */
export const SUPPRESSIONS: Family = {
  title: 'Boxes',
  takes: 'float32, float16',
  limits: [['NonMaxSuppressionV5', 'a sigma above 0 (soft suppression) is refused']],
  operations: {
    ...alike(
      'NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4 NonMaxSuppressionV5',
      suppress,
      suppressedShapes,
    ),
    CombinedNonMaxSuppression: [combined, combinedShapes],
  },
};
