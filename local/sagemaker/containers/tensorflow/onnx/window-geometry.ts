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

/** `padding` as ONNX says it. TensorFlow's SAME puts the odd pixel at the end. */
export function paddingOf(node: GraphNode): Record<string, OnnxAttribute> {
  const padding = Buffer.from(attribute(node, 'padding').text ?? []).toString();
  if (padding === 'VALID') return { auto_pad: 'VALID' };
  if (padding === 'SAME') return { auto_pad: 'SAME_UPPER' };
  if (padding !== 'EXPLICIT') throw unsupported(node, `padding ${padding}`);
  const first = isChannelsFirstNode(node) ? 4 : 2;
  const [top = 0, bottom = 0, left = 0, right = 0] = intsAttr(node, 'explicit_paddings').slice(
    first,
    first + 4,
  );
  return { pads: [top, left, bottom, right] };
}
