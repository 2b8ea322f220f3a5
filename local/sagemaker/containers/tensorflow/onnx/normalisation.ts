import { boolAttr, floatAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';

const batchNormalisation: Converter = (node, conversion) => {
  if (boolAttr(node, 'is_training', true)) throw unsupported(node, 'in training');
  const [scale = '', offset = '', mean = '', variance = ''] = [1, 2, 3, 4].map((index) =>
    conversion.input(node, index),
  );
  onImages(node, conversion, (images) =>
    conversion.onnx.node('BatchNormalization', [images, scale, offset, mean, variance], {
      epsilon: { float: floatAttr(node, 'epsilon', 1e-4) },
    }),
  );
};

export const NORMALISATIONS: Readonly<Record<string, Converter>> = {
  FusedBatchNorm: batchNormalisation,
  FusedBatchNormV2: batchNormalisation,
  FusedBatchNormV3: batchNormalisation,
};
