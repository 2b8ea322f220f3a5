import { BrokenModel } from '../engine/servable-model.ts';
import { attribute, intsAttr, textAttr, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import type { OnnxAttribute, OnnxGraph } from './onnx-graph.ts';

/** Whether the node's images are [batch, channels, height, width] in TensorFlow already. */
export function isChannelsFirstNode(node: GraphNode): boolean {
  return textAttr(node, 'data_format', 'NHWC') === 'NCHW';
}

/** The two spatial numbers of an attribute such as `strides`, which has one for every axis. */
export function spatial(node: GraphNode, name: string): [number, number] {
  const given = node.attributes.has(name) ? intsAttr(node, name) : [1, 1, 1, 1];
  const first = isChannelsFirstNode(node) ? 2 : 1;
  const [height, width] = given.slice(first, first + 2);
  if (given.length !== 4 || height === undefined || width === undefined)
    throw unsupported(node, `${name} [${given.join()}]`);
  const others = given.filter((_, axis) => axis < first || axis >= first + 2);
  if (others.some((size) => size !== 1)) throw unsupported(node, `${name} over batch or channels`);
  return [height, width];
}

/** A window that slides over images. */
export interface Window {
  /** Height and width, or the name of a tensor of the two where the model's caller gives the filter. */
  readonly sizes: readonly [number, number] | string;
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
}

/** Images with channels first, and the padding that is left for the ONNX operation to add. */
export interface PaddedImages {
  readonly images: string;
  readonly attributes: Readonly<Record<string, OnnxAttribute>>;
  /** Whether the padding is part of `images` already, so that an operation that skips padding would count it. */
  readonly included: boolean;
}

/** TensorFlow's name for the padding of a node's windows. @throws {BrokenModel} if it is none of the three */
export function paddingKind(node: GraphNode): 'VALID' | 'SAME' | 'EXPLICIT' {
  const padding = Buffer.from(attribute(node, 'padding').text ?? []).toString();
  if (padding === 'VALID' || padding === 'SAME' || padding === 'EXPLICIT') return padding;
  throw new BrokenModel(`Node ${node.name} (${node.op}): padding ${padding}`);
}

/** `explicit_paddings` in ONNX's order: top, left, bottom, right. */
export function explicitPads(node: GraphNode): [number, number, number, number] {
  const first = isChannelsFirstNode(node) ? 4 : 2;
  const given = intsAttr(node, 'explicit_paddings').slice(first, first + 4);
  const [top = 0, bottom = 0, left = 0, right = 0] = given;
  return [top, left, bottom, right];
}

/**
 * Pads images as the node's `padding` says.
 *
 * SAME gives every axis ceil(size / stride) windows and pads what the last of them lacks, the odd pixel at the end; where a
 * window is smaller than the stride the last may lack nothing, and nothing is padded
 * (https://www.tensorflow.org/api_docs/python/tf/nn#same_padding_2). onnxruntime's SAME_UPPER cuts pixels off there, and
 * knows no dilations, so the amounts are computed from the images' size then.
 *
 * @param fill name of the scalar that is put around the images
 */
export function padImages(
  node: GraphNode,
  onnx: OnnxGraph,
  images: string,
  { sizes, strides, dilations }: Window,
  fill: () => string,
): PaddedImages {
  const kind = paddingKind(node);
  if (kind === 'VALID') return { images, attributes: { auto_pad: 'VALID' }, included: false };
  if (kind === 'EXPLICIT') return { images, attributes: { pads: explicitPads(node) }, included: false };
  if (typeof sizes !== 'string') {
    const reaches = sizes.map((size, axis) => (size - 1) * (dilations[axis] ?? 1) + 1);
    if (strides.every((stride) => stride === 1)) {
      const totals = reaches.map((reach) => reach - 1);
      const pads = [...totals.map((total) => total >> 1), ...totals.map((total) => total - (total >> 1))];
      return { images, attributes: { pads }, included: false };
    }
    const dense = dilations.every((dilation) => dilation === 1);
    if (dense && reaches.every((reach, axis) => reach >= (strides[axis] ?? 1))) {
      return { images, attributes: { auto_pad: 'SAME_UPPER' }, included: false };
    }
  }
  const { before, after } = samePadding(onnx, spatialSize(onnx, images), { sizes, strides, dilations });
  const none = onnx.integers([0, 0]);
  const pads = onnx.node('Concat', [none, before, none, after], { axis: 0 });
  return {
    images: onnx.node('Pad', [images, pads, fill()]),
    attributes: { auto_pad: 'VALID' },
    included: true,
  };
}

/** Height and width of images with channels first. */
export function spatialSize(onnx: OnnxGraph, images: string): string {
  return onnx.node('Slice', [onnx.node('Shape', [images]), onnx.integers([2]), onnx.integers([4])]);
}

/** How many pixels a window spans, with those that dilation leaves out. */
function reachOf(onnx: OnnxGraph, { sizes, dilations }: Window): string {
  const one = onnx.integers([1]);
  const given = typeof sizes === 'string' ? sizes : onnx.integers(sizes);
  const steps = onnx.node('Mul', [onnx.node('Sub', [given, one]), onnx.integers(dilations)]);
  return onnx.node('Add', [steps, one]);
}

/** What SAME adds before and after images of `size` (height, width), both as tensors of two. */
export function samePadding(
  onnx: OnnxGraph,
  size: string,
  window: Window,
): { readonly before: string; readonly after: string } {
  const one = onnx.integers([1]);
  const strides = onnx.integers(window.strides);
  const steps = onnx.node('Div', [onnx.node('Sub', [size, one]), strides]);
  const spanned = onnx.node('Add', [onnx.node('Mul', [steps, strides]), reachOf(onnx, window)]);
  const total = onnx.node('Max', [onnx.node('Sub', [spanned, size]), onnx.integers([0])]);
  const before = onnx.node('Div', [total, onnx.integers([2])]);
  return { before, after: onnx.node('Sub', [total, before]) };
}
