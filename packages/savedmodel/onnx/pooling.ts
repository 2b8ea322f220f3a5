import { type GraphNode, typeAttr } from '../savedmodel/graph-node.ts';
import { BrokenModel, type DType } from '../savedmodel/servable-model.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { asserted } from './guard.ts';
import { carrierOf, MAX_FLOAT, onKernel } from './kernels.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Family } from './operation.ts';
import {
  explicitPads,
  paddingKind,
  padImages,
  spatial,
  spatialSize,
  type Window,
  windowsShape,
} from './window-geometry.ts';

function windowOf(node: GraphNode): Window & { readonly sizes: readonly [number, number] } {
  return { sizes: spatial(node, 'ksize'), strides: spatial(node, 'strides'), dilations: [1, 1] };
}

/**
 * When onnxruntime meets NaN, it forgets the window's earlier values; TensorFlow's result would cost two passes over the images.
 * Their mean over each channel is then also NaN, and it costs one pass in the layout of convolutions: such a run fails.
 */
export function refuseOddNumbers(onnx: OnnxGraph, images: string): void {
  const total = onnx.node('ReduceSum', [onnx.op('GlobalAveragePool', images)], { keepdims: 0 });
  const isOrdinary = onnx.op('Greater', total, onnx.scalar('float32', -Infinity));
  asserted(onnx, isOrdinary, 'a value is minus infinity or not a number');
}

/**
 * onnxruntime pads bytes with zeros, and takes a padding before the pool for the pool's own: unless it finds its amounts itself, the
 * smallest number is put around the images first.
 */
const maxPool: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const window = windowOf(node);
  const dtype = typeAttr(node, 'T', 'float32');
  if (
    paddingKind(node) === 'EXPLICIT' &&
    explicitPads(node).some((pad, side) => pad >= (window.sizes[side % 2] ?? 0))
  )
    throw new BrokenModel(
      `Node ${node.name} (MaxPool): paddings [${explicitPads(node).join()}] reach past the window`,
    );
  const pool = ([images = '']: readonly string[], carrier: DType): string => {
    if (carrier === 'int8' || carrier === 'uint8')
      return onnx.cast(pool([onnx.cast(images, 'float32')], 'float32'), carrier);
    const padded = padImages(node, conversion, images, window, () => onnx.scalar(carrier, -Infinity), true);
    const attributes = { kernel_shape: window.sizes, strides: window.strides, ...padded.attributes };
    return onnx.node('MaxPool', [padded.images], attributes);
  };
  onImages(node, conversion, (images) => {
    if (dtype === 'float32') refuseOddNumbers(onnx, images);
    if (dtype !== 'float16' && dtype !== 'float64')
      return onKernel(node, onnx, 'MaxPool', dtype, [images], pool);
    // TensorFlow starts from the smallest number, and ignores values that are no larger.
    const smallest = onnx.scalar(dtype, -(MAX_FLOAT.get(dtype) ?? Infinity));
    const counts = onnx.op('Greater', images, smallest);
    return pool([onnx.op('Where', counts, images, smallest)], dtype);
  });
};

/** The mean leaves out what lies outside of the image. */
const avgPool: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const window = windowOf(node);
  carrierOf(node, 'AveragePool', typeAttr(node, 'T', 'float32'));
  const pool = (images: string) => {
    const padded = padImages(node, conversion, images, window, () => conversion.scalar(node, 0), true);
    const attributes = { kernel_shape: window.sizes, strides: window.strides, ...padded.attributes };
    return { mean: onnx.node('AveragePool', [padded.images], attributes), included: padded.included };
  };
  onImages(node, conversion, (images) => {
    const { mean, included } = pool(images);
    if (!included) return mean;
    const shape = onnx.join([1, 1], spatialSize(onnx, images));
    const share = pool(onnx.op('Expand', conversion.scalar(node, 1), shape));
    return onnx.op('Div', mean, share.mean);
  });
};

/** Operations that summarize a window of one channel. */
export const POOLINGS: Family = {
  title: 'Pools',
  takes: 'float32; MaxPool of float64, int32, int8, uint8 too; channels last and first',
  limits: [
    ['AvgPool', 'float64 is refused'],
    ['MaxPool', 'NaN or minus infinity among float32 images fails the request; TensorFlow passes over them'],
    ['', 'images smaller than a VALID window end the run; TensorFlow answers nothing'],
  ],
  operations: {
    MaxPool: [maxPool, windowsShape('ksize')],
    AvgPool: [avgPool, windowsShape('ksize')],
  },
};
