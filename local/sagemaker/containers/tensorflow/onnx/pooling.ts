import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { paddingOf, spatial } from './window-geometry.ts';

const pool =
  (op: string): Converter =>
  (node, conversion) => {
    const attributes = {
      kernel_shape: spatial(node, 'ksize'),
      strides: spatial(node, 'strides'),
      ...paddingOf(node),
    };
    onImages(node, conversion, (images) => conversion.onnx.node(op, [images], attributes));
  };

/** Both leave out of the mean what lies outside the image. */
export const POOLINGS: Readonly<Record<string, Converter>> = {
  MaxPool: pool('MaxPool'),
  AvgPool: pool('AveragePool'),
};
