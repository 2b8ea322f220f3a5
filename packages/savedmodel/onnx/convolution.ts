import { fromHostTensor } from '../host/host-tensor.ts';
import { transposeHost } from '../host/shape-operations.ts';
import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guardedEach } from './guard.ts';
import { carrierOf } from './kernels.ts';
import { countOf, OPEN, shapeLike, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Family } from './operation.ts';
import {
  explicitPads,
  imageAxes,
  isChannelsFirstNode,
  paddingKind,
  padImages,
  reachOf,
  samePadding,
  spatial,
  spatialSize,
  type Window,
  windowsShape,
} from './window-geometry.ts';

/** Runs `build` on the node's images with channels first, whichever order TensorFlow keeps them in. */
export function onImages(node: GraphNode, conversion: Conversion, build: (images: string) => string): void {
  if (isChannelsFirstNode(node)) conversion.set(node, build(conversion.input(node)));
  else conversion.setChannelsFirst(node, build(conversion.imageInput(node)));
}

/** TensorFlow's filters are [height, width, in, out], ONNX's [out, in, height, width]. */
function filterOf(
  node: GraphNode,
  conversion: Conversion,
): { readonly weights: string; readonly sizes: Window['sizes'] } {
  const { onnx } = conversion;
  const order = [3, 2, 0, 1];
  const filter = conversion.constant(inputOf(node, 1));
  const [height, width] = filter?.shape ?? [];
  if (filter === undefined || height === undefined || width === undefined) {
    const weights = onnx.transpose(conversion.input(node, 1), order);
    return { weights, sizes: spatialSize(onnx, weights) };
  }
  const weights = onnx.constant(fromHostTensor(transposeHost(filter, order, node)));
  return { weights, sizes: [height, width] };
}

const conv2d: Converter = (node, conversion) => {
  const filterChannels = conversion.shape(inputOf(node, 1))?.[2];
  const { weights, sizes } = filterOf(node, conversion);
  convolve(node, conversion, weights, sizes, groupsOf(node, conversion, filterChannels));
};

/** How many channels the node's images have, as far as the graph says so. */
function channelCount(node: GraphNode, conversion: Conversion): number | undefined {
  const channels = conversion.shape(inputOf(node, 0))?.at(isChannelsFirstNode(node) ? 1 : -1);
  return channels === undefined || channels < 0 ? undefined : channels;
}

/**
 * A filter with fewer channels than its images is applied to groups of them, which only the sizes reveal. If a model leaves the
 * channels open, one group is assumed; onnxruntime fails if there are more.
 */
function groupsOf(node: GraphNode, conversion: Conversion, filterChannels = -1): number {
  const channels = channelCount(node, conversion);
  return channels === undefined || filterChannels <= 0 ? 1 : channels / filterChannels;
}

/** [height, width, channels, multiplier] becomes [channels × multiplier, 1, height, width] in as many groups as channels. */
const depthwise: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const filter = conversion.constant(inputOf(node, 1));
  if (filter === undefined) {
    const channels = conversion.shape(inputOf(node, 1))?.[2] ?? -1;
    if (channels <= 0) throw unsupported(node, 'with a filter of open shape');
    const turned = onnx.transpose(conversion.input(node, 1), [2, 3, 0, 1]);
    const sizes = spatialSize(onnx, turned);
    const joined = onnx.join([-1, 1], sizes);
    convolve(node, conversion, onnx.op('Reshape', turned, joined), sizes, channels);
    return;
  }
  const [height = 0, width = 0, channels = 0, multiplier = 0] = filter.shape;
  const moved = transposeHost(filter, [2, 3, 0, 1], node);
  const shape = [channels * multiplier, 1, height, width];
  const weights = onnx.constant(fromHostTensor({ ...moved, shape }));
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
  carrierOf(node, 'Conv', typeAttr(node, 'T', 'float32'));
  const strides = spatial(node, 'strides');
  const dilations = spatial(node, 'dilations');
  onImages(node, conversion, (images) => {
    const zero = () => conversion.scalar(node, 0);
    const padded = padImages(node, conversion, images, { sizes, strides, dilations }, zero);
    return onnx.node('Conv', [padded.images, weights], { group, strides, dilations, ...padded.attributes });
  });
}

/**
 * The gradient of a convolution, which is what a transposed convolution is. Input 0 says how large the convolution's own
 * images were (height, width): of all that the windows cover, the part behind the padding, and zeros where none reaches.
 */
const conv2dTransposed: Converter = (node, conversion) => {
  const { onnx } = conversion;
  carrierOf(node, 'ConvTranspose', typeAttr(node, 'T', 'float32'));
  const { weights, sizes } = filterOf(node, conversion);
  const window = {
    sizes,
    strides: spatial(node, 'strides'),
    dilations: spatial(node, 'dilations'),
  } as const;
  // TensorFlow computes no such gradient on processors, which is where AWS's container would fail as well.
  if (window.dilations.some((dilation) => dilation !== 1)) throw unsupported(node, 'dilations');
  const gradient = { ...node, inputs: [inputOf(node, 2)] };
  const given = outputSize(node, conversion);
  onImages(gradient, conversion, (images) => {
    const { strides, dilations } = window;
    const counts = windowCount(node, onnx, given, window);
    const isWhole = conversion.shape(inputOf(node, 0))?.[0] === 4;
    const batch = isWhole ? [onnx.op('Gather', conversion.int64Input(node, 0), [0])] : [];
    const has = onnx.shape(images);
    const wanted = onnx.join(...batch, counts);
    const places = onnx.integers(isWhole ? [0, 2, 3] : [2, 3]);
    const fits = onnx.op('Equal', wanted, onnx.op('Gather', has, places));
    const size = guardedEach(onnx, given, fits, 'its images do not have the sizes that its output asks for');
    const covered = onnx.node('ConvTranspose', [images, weights], { strides, dilations });
    const before = paddingBefore(node, onnx, size, window);
    const end = onnx.op('Add', before, size);
    const missing = onnx.op('Max', onnx.op('Sub', end, spatialSize(onnx, covered)), [0]);
    const pads = onnx.join([0, 0, 0, 0, 0, 0], missing);
    return onnx.op('Slice', onnx.op('Pad', covered, pads), before, end, [2, 3]);
  });
};

/** Input 0 is [height, width], or the whole shape in the node's order of axes. */
function outputSize(node: GraphNode, conversion: Conversion): string {
  const { onnx } = conversion;
  const sizes = conversion.int64Input(node, 0);
  const part = (from: string, to: string) => onnx.op('Slice', sizes, from, to);
  if (isChannelsFirstNode(node)) return part(onnx.integers([-2]), onnx.integers([2 ** 31 - 1]));
  const first = onnx.op('Div', onnx.op('Sub', onnx.shape(sizes), [2]), [2]);
  return part(first, onnx.op('Add', first, [2]));
}

/** How many windows the convolution's images of `size` would have had. */
function windowCount(node: GraphNode, onnx: OnnxGraph, size: string, window: Window): string {
  const strides = onnx.integers(window.strides);
  const kind = paddingKind(node);
  if (kind === 'SAME') return onnx.op('Add', onnx.op('Div', onnx.op('Sub', size, [1]), strides), [1]);
  const [top, left, bottom, right] = kind === 'EXPLICIT' ? explicitPads(node) : [0, 0, 0, 0];
  const padded = onnx.op('Add', size, [top + bottom, left + right]);
  const rest = onnx.op('Sub', padded, reachOf(onnx, window));
  return onnx.op('Div', onnx.op('Add', rest, strides), strides);
}

function paddingBefore(node: GraphNode, onnx: OnnxGraph, size: string, window: Window): string {
  const kind = paddingKind(node);
  if (kind === 'VALID') return onnx.integers([0, 0]);
  if (kind === 'SAME') return samePadding(onnx, size, window).before;
  const [top, left] = explicitPads(node);
  return onnx.integers([top, left]);
}

/** [1, channels, 1, …] with as many axes as the images have. */
function channelShape(onnx: OnnxGraph, images: string): string {
  const rank = onnx.shape(onnx.shape(images));
  const behind = onnx.op('Expand', [1], onnx.op('Sub', rank, [2]));
  return onnx.join([1, -1], behind);
}

/** ONNX would broadcast a bias that does not fit, which only the model's own sizes can rule out. */
function fitBias(node: GraphNode, conversion: Conversion): string {
  const { onnx } = conversion;
  const bias = conversion.input(node, 1);
  const length = conversion.constant(inputOf(node, 1))?.data.length;
  const channels = channelCount(node, conversion);
  if (length !== undefined && length === channels) return bias;
  const place = isChannelsFirstNode(node) ? 1 : -1;
  const size = onnx.op('Gather', conversion.shapeOf(node), [place]);
  const fits = onnx.op('Equal', size, onnx.shape(bias));
  return guardedEach(onnx, bias, fits, 'the bias does not have one number for each channel');
}

const biasAdd: Converter = (node, conversion) => {
  const { onnx } = conversion;
  if (isChannelsFirstNode(node)) {
    const images = conversion.input(node);
    const bias = onnx.op('Reshape', fitBias(node, conversion), channelShape(onnx, images));
    conversion.set(node, onnx.op('Add', images, bias));
  } else if (conversion.allChannelsFirst(node)) {
    const constant = conversion.constant(inputOf(node, 1))?.data.length;
    const fits = constant === channelCount(node, conversion);
    const bias = fits
      ? conversion.broadcastInput(node, 1)
      : onnx.op('Reshape', fitBias(node, conversion), [1, -1, 1, 1]);
    conversion.setChannelsFirst(node, onnx.op('Add', conversion.imageInput(node), bias));
  } else conversion.set(node, onnx.op('Add', conversion.input(node), fitBias(node, conversion)));
};

const convolution: Converter = (node, conversion) => {
  if (node.inputs.length !== 2) throw unsupported(node, 'without filter');
  conv2d(node, conversion);
};

const transposedShape: ShapeRule = (known) => {
  const wanted = known.sizes(0);
  if (wanted?.length === 4) return wanted;
  const images = known.shape(2);
  if (images?.length !== 4) return null;
  const [channels, height, width] = imageAxes(known.node);
  const result = [...images];
  result[channels] = known.shape(1)?.[2] ?? OPEN;
  [result[height], result[width]] = [wanted?.[0] ?? OPEN, wanted?.[1] ?? OPEN];
  return result;
};

/** Two-dimensional convolutions and the bias that follows them. */
export const CONVOLUTIONS: Family = {
  title: 'Convolutions',
  takes:
    'float32; channels last and first; in groups; strides, dilations, and the paddings SAME, VALID and EXPLICIT',
  limits: [
    ['Conv2D DepthwiseConv2dNative Conv2DBackpropInput', 'float64 and integers are refused'],
    ['DepthwiseConv2dNative', 'a computed filter must have a known number of channels'],
    ['Conv2D', 'in groups only if the graph says how many channels the images have'],
    ['Conv2DBackpropInput', 'dilations are refused: TensorFlow has no such kernel on processors'],
    [
      'Conv2D DepthwiseConv2dNative',
      'images smaller than a VALID window end the run; TensorFlow answers nothing',
    ],
  ],
  operations: {
    Conv2D: [convolution, windowsShape('filter', (filter) => filter?.[3] ?? OPEN)],
    DepthwiseConv2dNative: [
      depthwise,
      windowsShape('filter', (filter) => (filter ? countOf(filter.slice(2)) : OPEN)),
    ],
    Conv2DBackpropInput: [conv2dTransposed, transposedShape],
    BiasAdd: [biasAdd, shapeLike(0)],
  },
};
