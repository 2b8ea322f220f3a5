import { BrokenModel, type DType } from '../engine/servable-model.ts';
import { typeAttr, type GraphNode } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { carrierOf, onKernel } from './kernels.ts';
import {
  explicitPads,
  paddingKind,
  padImages,
  spatial,
  spatialSize,
  type Window,
} from './window-geometry.ts';

function windowOf(node: GraphNode): Window & { readonly sizes: readonly [number, number] } {
  return { sizes: spatial(node, 'ksize'), strides: spatial(node, 'strides'), dilations: [1, 1] };
}

/**
 * onnxruntime pads bytes with zeros, and takes a padding before the pool for the pool's own: unless it finds its amounts itself, the
 * smallest number is put around the images first. Of what is not a number it makes
 * the same again, where TensorFlow passes over it; looking for it would cost a pass over all images.
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
    if (carrier === 'int8' || carrier === 'uint8') {
      return onnx.cast(pool([onnx.cast(images, 'float32')], 'float32'), carrier);
    }
    const padded = padImages(node, conversion, images, window, () => onnx.scalar(carrier, -Infinity), true);
    const attributes = { kernel_shape: window.sizes, strides: window.strides, ...padded.attributes };
    return onnx.node('MaxPool', [padded.images], attributes);
  };
  onImages(node, conversion, (images) => onKernel(node, onnx, 'MaxPool', dtype, [images], pool));
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
    const shape = onnx.node('Concat', [onnx.integers([1, 1]), spatialSize(onnx, images)], { axis: 0 });
    const share = pool(onnx.node('Expand', [conversion.scalar(node, 1), shape]));
    return onnx.node('Div', [mean, share.mean]);
  });
};

/** Operations that summarise a window of one channel. */
export const POOLINGS: Readonly<Record<string, Converter>> = { MaxPool: maxPool, AvgPool: avgPool };
