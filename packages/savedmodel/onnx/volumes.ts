import { fromHostTensor } from '../host/host-tensor.ts';
import { transposeHost } from '../host/shape-operations.ts';
import {
  type GraphNode,
  inputOf,
  intsAttr,
  textAttr,
  typeAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guardedEach } from './guard.ts';
import { carrierOf } from './kernels.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Family } from './operation.ts';
import { refuseOddNumbers } from './pooling.ts';
import { reachOf, samePadding, type SlidingWindow } from './window-geometry.ts';

const AXES = [2, 3, 4] as const;

/** Whether the node's volumes are [batch, channels, depth, height, width] in TensorFlow already. */
function isChannelsFirst(node: GraphNode): boolean {
  return textAttr(node, 'data_format', 'NDHWC') === 'NCDHW';
}

/** Depth, height and width of an attribute that has a number for every axis. */
function three(node: GraphNode, name: string): [number, number, number] {
  const given = node.attributes.has(name) ? intsAttr(node, name) : [1, 1, 1, 1, 1];
  const first = isChannelsFirst(node) ? 2 : 1;
  const [depth, height, width] = given.slice(first, first + 3);
  const others = given.filter((_, axis) => axis < first || axis >= first + 3);
  if (depth === undefined || height === undefined || width === undefined || others.some((size) => size !== 1))
    throw unsupported(node, `${name} [${given.join()}]`);
  return [depth, height, width];
}

interface VolumeWindow extends SlidingWindow {
  readonly sizes: readonly number[];
}

/** Depth, height and width of volumes with channels first. */
function sizeOf(onnx: OnnxGraph, volumes: string): string {
  return onnx.op('Slice', onnx.shape(volumes), [2], [5]);
}

/**
 * If a window is smaller than its stride, TensorFlow's two implementations disagree: with oneDNN no pixel before the first window
 * is left out, without it some are, two at least.
 */
function refuseAmbiguous(
  node: GraphNode,
  conversion: Conversion,
  { sizes, strides, dilations }: VolumeWindow,
): void {
  const shape = conversion.shape(inputOf(node, 0));
  const isTransposed = node.op === 'Conv3DBackpropInputV2';
  sizes.forEach((window, axis) => {
    const reach = (window - 1) * (dilations[axis] ?? 1) + 1;
    const stride = strides[axis] ?? 1;
    if (stride - reach < 2) return;
    const size = shape?.[axis + (isChannelsFirst(node) ? 2 : 1)] ?? -1;
    const lack = Math.floor((size - 1) / stride) * stride + reach - size;
    if (isTransposed || size < 0 || lack <= -2)
      throw unsupported(node, `SAME, window ${reach} and stride ${stride}`);
  });
}

/** Runs `build` on the node's volumes with channels first, padded with `fill` as SAME says. */
function onVolumes(
  node: GraphNode,
  conversion: Conversion,
  window: VolumeWindow,
  fill: (onnx: OnnxGraph) => string,
  build: (volumes: string, pad: (like: string) => string) => string,
): void {
  const { onnx } = conversion;
  const first = isChannelsFirst(node);
  const given = conversion.input(node);
  const volumes = first ? given : onnx.transpose(given, [0, 4, 1, 2, 3]);
  const size = sizeOf(onnx, volumes);
  let pad = (tensor: string) => tensor;
  let whole = volumes;
  if (textAttr(node, 'padding') === 'SAME') {
    refuseAmbiguous(node, conversion, window);
    const { before, after } = samePadding(onnx, size, window);
    const pads = onnx.join([0, 0], before, [0, 0], after);
    const value = fill(onnx);
    pad = (tensor) => onnx.op('Pad', tensor, pads, value);
  } else {
    const fits = onnx.op('GreaterOrEqual', size, reachOf(onnx, window));
    whole = guardedEach(onnx, volumes, fits, 'the images are smaller than its window');
  }
  const result = build(whole, pad);
  conversion.set(node, first ? result : onnx.transpose(result, [0, 2, 3, 4, 1]));
}

/** TensorFlow's filters are [depth, height, width, in, out], ONNX's [out, in, depth, height, width]. */
function filterOf(node: GraphNode, conversion: Conversion, op: 'Conv' | 'ConvTranspose') {
  carrierOf(node, op, typeAttr(node, 'T', 'float32'));
  const filter = conversion.constantInput(node, 1);
  return {
    weights: conversion.onnx.constant(fromHostTensor(transposeHost(filter, [4, 3, 0, 1, 2], node))),
    channels: filter.shape[3] ?? 1,
    window: {
      sizes: filter.shape.slice(0, 3),
      strides: three(node, 'strides'),
      dilations: three(node, 'dilations'),
    },
  };
}

const conv3d: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const { weights, channels: own, window } = filterOf(node, conversion, 'Conv');
  const channels = conversion.shape(inputOf(node, 0))?.at(isChannelsFirst(node) ? 1 : -1) ?? -1;
  const group = channels < 0 ? 1 : channels / own;
  const { strides, dilations } = window;
  onVolumes(
    node,
    conversion,
    window,
    () => conversion.scalar(node, 0),
    (volumes, pad) =>
      onnx.node('Conv', [pad(volumes), weights], { group, strides, dilations, auto_pad: 'VALID' }),
  );
};

/** Two-dimensional transposed convolutions: all that the windows cover, the part behind the padding, zeros where none reaches. */
const conv3dTransposed: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const { weights, window } = filterOf(node, conversion, 'ConvTranspose');
  if (window.dilations.some((dilation) => dilation !== 1)) throw unsupported(node, 'dilations');
  const { strides } = window;
  const first = isChannelsFirst(node);
  const given = conversion.input(node, 2);
  const volumes = first ? given : onnx.transpose(given, [0, 4, 1, 2, 3]);
  const from = first ? 2 : 1;
  const wanted = conversion.int64Input(node, 0);
  const size = onnx.op('Slice', wanted, [from], [from + 3]);
  const isSame = textAttr(node, 'padding') === 'SAME';
  if (isSame) refuseAmbiguous(node, conversion, window);
  const [one, steps] = [onnx.integers([1]), onnx.integers(strides)];
  const rest = onnx.op('Sub', size, isSame ? one : reachOf(onnx, window));
  // A count of windows as the convolution itself would have had them.
  const count = onnx.op('Add', onnx.op('Div', rest, steps), one);
  const fits = onnx.op('Equal', count, sizeOf(onnx, volumes));
  const checked = guardedEach(
    onnx,
    volumes,
    fits,
    'its images do not have the sizes that its output asks for',
  );
  const covered = onnx.node('ConvTranspose', [checked, weights], { strides });
  const before = isSame ? samePadding(onnx, size, window).before : onnx.integers([0, 0, 0]);
  const end = onnx.op('Add', before, size);
  const missing = onnx.op('Max', onnx.op('Sub', end, sizeOf(onnx, covered)), [0]);
  const pads = onnx.join([0, 0, 0, 0, 0, 0, 0], missing);
  const whole = onnx.op('Pad', covered, pads);
  const result = onnx.op('Slice', whole, before, end, AXES);
  conversion.set(node, first ? result : onnx.transpose(result, [0, 2, 3, 4, 1]));
};

const pool =
  (op: 'MaxPool' | 'AveragePool'): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const dtype = typeAttr(node, 'T', 'float32');
    if (dtype !== 'float32') throw unsupported(node, dtype);
    const window = { sizes: three(node, 'ksize'), strides: three(node, 'strides'), dilations: [1, 1, 1] };
    const attributes = { kernel_shape: window.sizes, strides: window.strides, auto_pad: 'VALID' };
    const pooled = (volumes: string) => onnx.node(op, [volumes], attributes);
    onVolumes(
      node,
      conversion,
      window,
      () => onnx.scalar(dtype, op === 'MaxPool' ? -Infinity : 0),
      (volumes, pad) => {
        if (op === 'MaxPool') refuseOddNumbers(onnx, volumes);
        const result = pooled(pad(volumes));
        if (op === 'MaxPool' || textAttr(node, 'padding') !== 'SAME') return result;
        // The mean leaves out what lies outside: it is divided by the share of each window that lies within.
        const shape = onnx.join([1, 1], sizeOf(onnx, volumes));
        const ones = onnx.op('Expand', onnx.scalar(dtype, 1), shape);
        return onnx.op('Div', result, pooled(pad(ones)));
      },
    );
  };

const windowsShape =
  (kernel: 'filter' | 'ksize'): ShapeRule =>
  (known) => {
    const whole = known.shape(0);
    const filter = kernel === 'filter' ? known.shape(1) : null;
    const [channels = 4, ...places] = isChannelsFirst(known.node) ? [1, 2, 3, 4] : [4, 1, 2, 3];
    const result = whole === null ? [OPEN, OPEN, OPEN, OPEN, OPEN] : [...whole];
    if (kernel === 'filter') result[channels] = filter?.[4] ?? OPEN;
    places.forEach((axis, index) => {
      const size = whole?.[axis] ?? OPEN;
      const window =
        kernel === 'filter' ? (filter?.[index] ?? OPEN) : (intsAttr(known.node, 'ksize')[axis] ?? OPEN);
      const stride = intsAttr(known.node, 'strides')[axis] ?? 1;
      const reach = window < 0 ? OPEN : (window - 1) * (intsAttr(known.node, 'dilations')[axis] ?? 1) + 1;
      const isSame = textAttr(known.node, 'padding') === 'SAME';
      if (size < 0 || (!isSame && reach < 0)) result[axis] = OPEN;
      else result[axis] = Math.max(0, Math.ceil((isSame ? size : size - reach + 1) / stride));
    });
    return result;
  };

/** Convolutions and pools of volumes, which videos are as well. */
export const VOLUMES: Family = {
  title: 'Volumes and videos',
  takes: 'float32; channels last and first; SAME and VALID',
  limits: [
    [
      '',
      'SAME with a stride at least 2 above the window is refused where pixels before the first window would be left ' +
        'out: TensorFlow’s answer depends on whether oneDNN is on',
    ],
    ['MaxPool3D', 'NaN or minus infinity fails the request; TensorFlow passes over them'],
    ['Conv3D Conv3DBackpropInputV2', 'the filter must be a constant or a variable'],
    ['Conv3DBackpropInputV2', 'dilations are refused'],
  ],
  operations: {
    Conv3D: [conv3d, windowsShape('filter')],
    Conv3DBackpropInputV2: [conv3dTransposed, (known) => known.sizes(0)],
    MaxPool3D: [pool('MaxPool'), windowsShape('ksize')],
    AvgPool3D: [pool('AveragePool'), windowsShape('ksize')],
  },
};
