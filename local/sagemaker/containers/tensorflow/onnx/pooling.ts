import type { GraphNode } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { padImages, spatial, spatialSize, type Window } from './window-geometry.ts';

function windowOf(node: GraphNode): Window & { readonly sizes: readonly [number, number] } {
  return { sizes: spatial(node, 'ksize'), strides: spatial(node, 'strides'), dilations: [1, 1] };
}

const maxPool: Converter = (node, conversion) => {
  const window = windowOf(node);
  onImages(node, conversion, (images) => {
    const padded = padImages(node, conversion.onnx, images, window, () => conversion.scalar(node, -Infinity));
    const attributes = { kernel_shape: window.sizes, strides: window.strides, ...padded.attributes };
    return conversion.onnx.node('MaxPool', [padded.images], attributes);
  });
};

/** The mean leaves out what lies outside of the image. */
const avgPool: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const window = windowOf(node);
  const pool = (images: string) => {
    const padded = padImages(node, onnx, images, window, () => conversion.scalar(node, 0));
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
