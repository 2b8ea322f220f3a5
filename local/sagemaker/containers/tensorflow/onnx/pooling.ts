import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { paddingOf, spatial } from './window-geometry.ts';

const pool =
  (op: string): Converter =>
  (node, conversion) => {
    const sizes = spatial(node, 'ksize');
    const strides = spatial(node, 'strides');
    const attributes = {
      kernel_shape: sizes,
      strides,
      ...paddingOf(node, { sizes, strides, dilations: [1, 1] }),
    };
    onImages(node, conversion, (images) => conversion.onnx.node(op, [images], attributes));
  };

/** Both leave out of the mean what lies outside the image. */
export const POOLINGS: Readonly<Record<string, Converter>> = {
  MaxPool: pool('MaxPool'),
  AvgPool: pool('AveragePool'),
};
