import { inputOf, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import { transposeHost } from '../host/shape-operations.ts';
import { fromHostTensor } from '../host/host-tensor.ts';
import { channelCount } from './channel-count.ts';
import type { Conversion, Converter } from './conversion.ts';
import { isChannelsFirstNode, paddingOf, spatial } from './window-geometry.ts';

/** Runs `build` on the node's images with channels first, whichever order TensorFlow keeps them in. */
export function onImages(node: GraphNode, conversion: Conversion, build: (images: string) => string): void {
  if (isChannelsFirstNode(node)) conversion.set(node, build(conversion.input(node)));
  else conversion.setChannelsFirst(node, build(conversion.imageInput(node)));
}

/** TensorFlow's filters are [height, width, in, out], ONNX's [out, in, height, width]. */
const conv2d: Converter = (node, conversion) => {
  const filter = conversion.constant(inputOf(node, 1));
  const weights =
    filter === undefined
      ? conversion.onnx.transpose(conversion.input(node, 1), [3, 2, 0, 1])
      : conversion.onnx.constant(fromHostTensor(transposeHost(filter, [3, 2, 0, 1], node)));
  const [height, width, filterChannels] = filter?.shape ?? [];
  const channels = isChannelsFirstNode(node) ? undefined : channelCount(inputOf(node, 0), conversion);
  const groups = channels === undefined || filterChannels === undefined ? 1 : channels / filterChannels;
  convolve(node, conversion, weights, [height ?? NaN, width ?? NaN], groups);
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
  sizes: readonly [number, number],
  group: number,
): void {
  const strides = spatial(node, 'strides');
  const dilations = spatial(node, 'dilations');
  const attributes = { group, strides, dilations, ...paddingOf(node, { sizes, strides, dilations }) };
  onImages(node, conversion, (images) => conversion.onnx.node('Conv', [images, weights], attributes));
}

/**
 * The gradient of a convolution, which is what a transposed convolution is. Its output is as large as the input of the
 * convolution would be: known sizes are used, and otherwise the stride's multiple is meant.
 */
const conv2dTransposed: Converter = (node, conversion) => {
  const filter = conversion.constantInput(node, 1);
  const [height = 0, width = 0] = filter.shape;
  const weights = conversion.onnx.constant(fromHostTensor(transposeHost(filter, [3, 2, 0, 1], node)));
  const strides = spatial(node, 'strides');
  const dilations = spatial(node, 'dilations');
  if (dilations.some((dilation) => dilation !== 1)) throw unsupported(node, 'dilations');
  const images = { ...node, inputs: [inputOf(node, 2)] };
  const attributes = { strides, ...transposedPadding(node, [height, width], strides) };
  onImages(images, conversion, (input) =>
    conversion.onnx.node('ConvTranspose', [input, weights], attributes),
  );
};

function transposedPadding(
  node: GraphNode,
  sizes: readonly [number, number],
  strides: readonly [number, number],
): Record<string, number[]> {
  const { auto_pad: kind } = paddingOf(node, { sizes, strides, dilations: [1, 1] });
  if (kind === 'VALID') return {};
  if (kind !== 'SAME_UPPER') throw unsupported(node, 'explicit padding');
  const overlaps = sizes.map((size, axis) => size - (strides[axis] ?? 1));
  const totals = overlaps.map((overlap) => Math.max(0, overlap));
  return {
    pads: [...totals.map((total) => total >> 1), ...totals.map((total) => total - (total >> 1))],
    output_padding: overlaps.map((overlap) => Math.max(0, -overlap)),
  };
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
