import { inputOf, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import { transposeHost } from '../host/shape-operations.ts';
import { fromHostTensor } from '../host/host-tensor.ts';
import { channelCount } from './channel-count.ts';
import type { Conversion, Converter } from './conversion.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import {
  explicitPads,
  isChannelsFirstNode,
  padImages,
  paddingKind,
  samePadding,
  spatial,
  spatialSize,
  type Window,
} from './window-geometry.ts';

/** Runs `build` on the node's images with channels first, whichever order TensorFlow keeps them in. */
export function onImages(node: GraphNode, conversion: Conversion, build: (images: string) => string): void {
  if (isChannelsFirstNode(node)) conversion.set(node, build(conversion.input(node)));
  else conversion.setChannelsFirst(node, build(conversion.imageInput(node)));
}

/** TensorFlow's filters are [height, width, in, out], ONNX's [out, in, height, width]. */
const conv2d: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const filter = conversion.constant(inputOf(node, 1));
  const [height, width, filterChannels] = filter?.shape ?? [];
  const weights =
    filter === undefined
      ? onnx.transpose(conversion.input(node, 1), [3, 2, 0, 1])
      : onnx.constant(fromHostTensor(transposeHost(filter, [3, 2, 0, 1], node)));
  const sizes: Window['sizes'] =
    height === undefined || width === undefined ? spatialSize(onnx, weights) : [height, width];
  const channels = isChannelsFirstNode(node) ? undefined : channelCount(inputOf(node, 0), conversion);
  const groups = channels === undefined || filterChannels === undefined ? 1 : channels / filterChannels;
  convolve(node, conversion, weights, sizes, groups);
};

/** [height, width, channels, multiplier] becomes [channels × multiplier, 1, height, width] in as many groups as channels. */
const depthwise: Converter = (node, conversion) => {
  const filter = conversion.constantInput(node, 1);
  const [height = 0, width = 0, channels = 0, multiplier = 0] = filter.shape;
  const moved = transposeHost(filter, [2, 3, 0, 1], node);
  const shape = [channels * multiplier, 1, height, width];
  const weights = conversion.onnx.constant(fromHostTensor({ ...moved, shape }));
  convolve(node, conversion, weights, [height, width], channels);
};

function convolve(
  node: GraphNode,
  conversion: Conversion,
  weights: string,
  sizes: Window['sizes'],
  group: number,
): void {
  const { onnx } = conversion;
  const strides = spatial(node, 'strides');
  const dilations = spatial(node, 'dilations');
  onImages(node, conversion, (images) => {
    const zero = () => conversion.scalar(node, 0);
    const padded = padImages(node, onnx, images, { sizes, strides, dilations }, zero);
    return onnx.node('Conv', [padded.images, weights], { group, strides, dilations, ...padded.attributes });
  });
}

/**
 * The gradient of a convolution, which is what a transposed convolution is. Input 0 says how large the convolution's own
 * images were (height, width): of all that the windows cover, the part behind the padding, and zeros where none reaches.
 */
const conv2dTransposed: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const filter = conversion.constantInput(node, 1);
  const [height = 0, width = 0] = filter.shape;
  const weights = onnx.constant(fromHostTensor(transposeHost(filter, [3, 2, 0, 1], node)));
  const window = {
    sizes: [height, width],
    strides: spatial(node, 'strides'),
    dilations: spatial(node, 'dilations'),
  } as const;
  const gradient = { ...node, inputs: [inputOf(node, 2)] };
  const size = outputSize(node, conversion);
  onImages(gradient, conversion, (images) => {
    const { strides, dilations } = window;
    const covered = onnx.node('ConvTranspose', [images, weights], { strides, dilations });
    const before = paddingBefore(node, onnx, size, window);
    const end = onnx.node('Add', [before, size]);
    const missing = onnx.node('Max', [
      onnx.node('Sub', [end, spatialSize(onnx, covered)]),
      onnx.integers([0]),
    ]);
    const pads = onnx.node('Concat', [onnx.integers([0, 0, 0, 0, 0, 0]), missing], { axis: 0 });
    return onnx.node('Slice', [onnx.node('Pad', [covered, pads]), before, end, onnx.integers([2, 3])]);
  });
};

/** Input 0 is [height, width], or the whole shape in the node's order of axes. */
function outputSize(node: GraphNode, conversion: Conversion): string {
  const { onnx } = conversion;
  const sizes = conversion.int64Input(node, 0);
  const behind = isChannelsFirstNode(node) ? 0 : 1;
  // Counted from the back, which is right for both forms with channels first.
  const given = conversion.constant(inputOf(node, 0))?.data.length;
  const last = given === 2 ? 0 : behind;
  return onnx.node('Slice', [
    sizes,
    onnx.integers([-2 - last]),
    onnx.integers([last === 0 ? 2 ** 31 - 1 : -last]),
  ]);
}

function paddingBefore(node: GraphNode, onnx: OnnxGraph, size: string, window: Window): string {
  const kind = paddingKind(node);
  if (kind === 'VALID') return onnx.integers([0, 0]);
  if (kind === 'SAME') return samePadding(onnx, size, window).before;
  const [top, left] = explicitPads(node);
  return onnx.integers([top, left]);
}

const biasAdd: Converter = (node, conversion) => {
  const { onnx } = conversion;
  if (isChannelsFirstNode(node)) {
    const bias = onnx.node('Reshape', [conversion.input(node, 1), onnx.integers([1, -1, 1, 1])]);
    conversion.set(node, onnx.node('Add', [conversion.input(node), bias]));
  } else if (conversion.allChannelsFirst(node)) {
    conversion.setChannelsFirst(
      node,
      onnx.node('Add', [conversion.imageInput(node), conversion.broadcastInput(node, 1)]),
    );
  } else conversion.set(node, onnx.node('Add', [conversion.input(node), conversion.input(node, 1)]));
};

/** Two-dimensional convolutions and the bias that follows them. */
export const CONVOLUTIONS: Readonly<Record<string, Converter>> = {
  Conv2D: (node, conversion) => {
    if (node.inputs.length !== 2) throw unsupported(node, 'without filter');
    conv2d(node, conversion);
  },
  DepthwiseConv2dNative: depthwise,
  Conv2DBackpropInput: conv2dTransposed,
  BiasAdd: biasAdd,
};
