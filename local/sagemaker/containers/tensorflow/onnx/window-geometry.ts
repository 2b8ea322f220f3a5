import { BrokenModel } from '../engine/servable-model.ts';
import { attribute, intsAttr, textAttr, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import type { OnnxAttribute } from './onnx-graph.ts';

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

/** The two sizes of a window and the distance of its elements. */
export interface Window {
  readonly sizes: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
}

/** `padding` as ONNX says it. TensorFlow's SAME puts the odd pixel at the end. */
export function paddingOf(
  node: GraphNode,
  { sizes, strides, dilations }: Window,
): Record<string, OnnxAttribute> {
  const padding = Buffer.from(attribute(node, 'padding').text ?? []).toString();
  if (padding === 'VALID') return { auto_pad: 'VALID' };
  if (padding === 'EXPLICIT') {
    const first = isChannelsFirstNode(node) ? 4 : 2;
    const [top = 0, bottom = 0, left = 0, right = 0] = intsAttr(node, 'explicit_paddings').slice(
      first,
      first + 4,
    );
    return { pads: [top, left, bottom, right] };
  }
  if (padding !== 'SAME') throw new BrokenModel(`Node ${node.name} (${node.op}): padding ${padding}`);
  if (dilations.every((dilation) => dilation === 1)) return { auto_pad: 'SAME_UPPER' };
  // onnxruntime leaves this case to us, and without strides it does not depend on the size of the image.
  if (strides.some((stride) => stride !== 1)) throw unsupported(node, 'SAME with strides and dilations');
  const totals = sizes.map((size, axis) => (size - 1) * (dilations[axis] ?? 1));
  return { pads: [...totals.map((total) => total >> 1), ...totals.map((total) => total - (total >> 1))] };
}
