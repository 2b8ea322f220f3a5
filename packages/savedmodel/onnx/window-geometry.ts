import {
  attribute,
  type GraphNode,
  inputOf,
  intsAttr,
  textAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import type { Conversion } from './conversion.ts';
import { guardedEach } from './guard.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
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

/** A window that slides along two axes, or more. */
export interface SlidingWindow {
  /** Sizes by axis, or the name of a tensor of them. */
  readonly sizes: readonly number[] | string;
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
}

/** A window that slides over images. */
export interface Window extends SlidingWindow {
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

/** TensorFlow's name for the padding of a node's windows. @throws {BrokenModel} for any other value */
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
 * knows no dilations: the amounts are computed here, or in the model where they depend on the size of its images.
 *
 * @param images with channels first, the node's input 0
 * @param fill name of the scalar that is put around the images
 * @param ahead whether amounts that onnxruntime does not find itself are padded first
 */
export function padImages(
  node: GraphNode,
  conversion: Conversion,
  images: string,
  window: Window,
  fill: () => string,
  ahead = false,
): PaddedImages {
  const { onnx } = conversion;
  const kind = paddingKind(node);
  const padded = (pads: string) => ({
    images: onnx.op('Pad', images, pads, fill()),
    attributes: { auto_pad: 'VALID' },
    included: true,
  });
  if (kind === 'SAME' && isCovering(window))
    return { images, attributes: { auto_pad: 'SAME_UPPER' }, included: false };
  const size = knownSize(node, conversion);
  const pads =
    kind === 'SAME' ? knownPads(window, size) : kind === 'VALID' ? [0, 0, 0, 0] : explicitPads(node);
  if (pads === undefined) {
    const { before, after } = samePadding(onnx, spatialSize(onnx, images), window);
    return padded(onnx.join([0, 0], before, [0, 0], after));
  }
  const isWide = kind === 'SAME' || isLargeEnough(node, window, size, pads);
  const large = isWide ? images : guardedBySize(onnx, images, window, pads);
  if (pads.every((pad) => pad === 0))
    return { images: large, attributes: { auto_pad: 'VALID' }, included: false };
  if (!ahead) return { images: large, attributes: { pads }, included: false };
  const [top = 0, left = 0, bottom = 0, right = 0] = pads;
  return padded(onnx.integers([0, 0, top, left, 0, 0, bottom, right]));
}

/** Whether onnxruntime's SAME_UPPER is TensorFlow's SAME: no pixel lies between two windows. */
function isCovering({ sizes, strides, dilations }: Window): boolean {
  if (typeof sizes === 'string') return false;
  return sizes.every((size, axis) => size >= (strides[axis] ?? 1) && dilations[axis] === 1);
}

/** Height and width of the node's images, -1 where the graph leaves them open. */
function knownSize(node: GraphNode, conversion: Conversion): readonly [number, number] {
  const shape = conversion.shape(inputOf(node, 0));
  const first = isChannelsFirstNode(node) ? 2 : 1;
  return [shape?.[first] ?? -1, shape?.[first + 1] ?? -1];
}

/** Padding of SAME at the top, left, bottom, right, if it doesn't depend on unknown sizes. */
function knownPads(
  { sizes, strides, dilations }: Window,
  images: readonly [number, number],
): readonly number[] | undefined {
  if (typeof sizes === 'string') return undefined;
  const totals = sizes.map((size, axis) => {
    const stride = strides[axis] ?? 1;
    const reach = (size - 1) * (dilations[axis] ?? 1) + 1;
    const image = images[axis] ?? -1;
    if (stride === 1 || reach === 1) return reach - 1;
    return image < 0 ? NaN : Math.max(0, Math.floor((image - 1) / stride) * stride + reach - image);
  });
  if (totals.some((total) => Number.isNaN(total))) return undefined;
  return [...totals.map((total) => total >> 1), ...totals.map((total) => total - (total >> 1))];
}

/** Whether a window fits the images. @throws {UnsupportedModel} if it does not: TensorFlow's answer is empty then */
function isLargeEnough(
  node: GraphNode,
  { sizes, dilations }: Window,
  images: readonly [number, number],
  pads: readonly number[],
): boolean {
  if (typeof sizes === 'string') return false;
  const rests = sizes.map((size, axis) => {
    const image = images[axis] ?? -1;
    const reach = (size - 1) * (dilations[axis] ?? 1) + 1;
    if (reach === 1) return 0;
    return image < 0 ? NaN : image + (pads[axis] ?? 0) + (pads[axis + 2] ?? 0) - reach;
  });
  if (rests.some((rest) => rest < 0)) throw unsupported(node, 'images smaller than its window');
  return rests.every((rest) => rest >= 0);
}

/** onnxruntime takes one window where none fits, and reads what lies behind the image. */
function guardedBySize(onnx: OnnxGraph, images: string, window: Window, pads: readonly number[]): string {
  const [top = 0, left = 0, bottom = 0, right = 0] = pads;
  const size = onnx.op('Add', spatialSize(onnx, images), [top + bottom, left + right]);
  const fits = onnx.op('GreaterOrEqual', size, reachOf(onnx, window));
  return guardedEach(onnx, images, fits, 'the images are smaller than its window');
}

/** Height and width of images with channels first. */
export function spatialSize(onnx: OnnxGraph, images: string): string {
  return onnx.op('Slice', onnx.shape(images), [2], [4]);
}

/** How many pixels a window spans in each axis, with those that dilation leaves out. */
export function reachOf(onnx: OnnxGraph, { sizes, dilations }: SlidingWindow): string {
  if (typeof sizes !== 'string')
    return onnx.integers(sizes.map((size, axis) => (size - 1) * (dilations[axis] ?? 1) + 1));
  return onnx.op('Add', onnx.op('Mul', onnx.op('Sub', sizes, [1]), dilations), [1]);
}

/**
 * Padding of SAME before and after images of `size`, a tensor with a number for each axis of the window, as are both results; the odd one
 * comes after. https://www.tensorflow.org/api_docs/python/tf/nn#same_padding_2
 */
export function samePadding(
  onnx: OnnxGraph,
  size: string,
  window: SlidingWindow,
): { readonly before: string; readonly after: string } {
  const strides = onnx.integers(window.strides);
  const steps = onnx.op('Div', onnx.op('Sub', size, [1]), strides);
  const spanned = onnx.op('Add', onnx.op('Mul', steps, strides), reachOf(onnx, window));
  const total = onnx.op('Max', onnx.op('Sub', spanned, size), [0]);
  const before = onnx.op('Div', total, [2]);
  return { before, after: onnx.op('Sub', total, before) };
}

/** Where channels and the two sizes of an image lie. */
export function imageAxes(node: GraphNode): readonly [channels: number, height: number, width: number] {
  return textAttr(node, 'data_format', 'NHWC') === 'NCHW' ? [1, 2, 3] : [3, 1, 2];
}

/**
 * Shape after sliding a window over images. @param kernel place of the window's size: the filter or the attribute `ksize`
 * @param channelsOf the channels that a filter makes; without it they stay
 */
export const windowsShape =
  (kernel: 'filter' | 'ksize', channelsOf?: (filter: Shape) => number): ShapeRule =>
  (known) => {
    const images = known.shape(0);
    if (images?.length !== 4) return null;
    const filter = kernel === 'filter' ? known.shape(1) : null;
    const [channels, ...places] = imageAxes(known.node);
    const result = [...images];
    if (channelsOf !== undefined) result[channels] = channelsOf(filter);
    places.forEach((axis, index) => {
      const size = images[axis] ?? OPEN;
      const window =
        kernel === 'filter' ? (filter?.[index] ?? OPEN) : (intsAttr(known.node, 'ksize')[axis] ?? OPEN);
      const stride = intsAttr(known.node, 'strides')[axis] ?? 1;
      const reach = window < 0 ? OPEN : (window - 1) * (intsAttr(known.node, 'dilations')[axis] ?? 1) + 1;
      const padding = textAttr(known.node, 'padding');
      const [before = 0, after = 0] = intsAttr(known.node, 'explicit_paddings').slice(2 * axis, 2 * axis + 2);
      const padded = padding === 'EXPLICIT' ? size + before + after : size;
      if (size < 0 || (padding !== 'SAME' && reach < 0)) result[axis] = OPEN;
      else if (padding === 'SAME') result[axis] = Math.ceil(size / stride);
      else result[axis] = Math.max(0, Math.ceil((padded - reach + 1) / stride));
    });
    return result;
  };
