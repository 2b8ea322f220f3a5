import { type GraphNode, intAttr, intsAttr, textAttr } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { countOf, type Infer, input, named, OPEN, sizes } from './known-tensors.ts';

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

/** Shapes of operations on windows and blocks of images. */
export const WINDOW_SHAPES = [
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
  ...named('SpaceToDepth', blocks(false)),
  ...named('DepthToSpace', blocks(true)),
];
