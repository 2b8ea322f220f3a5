import { inputOf, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import { transposeHost } from '../host/shape-operations.ts';
import { fromHostTensor } from '../host/host-tensor.ts';
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
  convolve(node, conversion, weights, {});
};

/** [height, width, channels, multiplier] becomes [channels × multiplier, 1, height, width] in as many groups as channels. */
const depthwise: Converter = (node, conversion) => {
  const filter = conversion.constantInput(node, 1);
  const [height = 0, width = 0, channels = 0, multiplier = 0] = filter.shape;
  const moved = transposeHost(filter, [2, 3, 0, 1], node);
  const shape = [channels * multiplier, 1, height, width];
  const weights = conversion.onnx.constant(fromHostTensor({ ...moved, shape }));
  convolve(node, conversion, weights, { group: channels });
};

function convolve(
  node: GraphNode,
  conversion: Conversion,
  weights: string,
  group: Record<string, number>,
): void {
  const attributes = {
    ...group,
    strides: spatial(node, 'strides'),
    dilations: spatial(node, 'dilations'),
    ...paddingOf(node),
  };
  onImages(node, conversion, (images) => conversion.onnx.node('Conv', [images, weights], attributes));
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
  BiasAdd: biasAdd,
};
