import { boolAttr, floatAttr, intAttr, unsupported } from '../savedmodel/graph-node.ts';
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

/** ONNX divides alpha by the number of channels that it sums over. */
const localResponse: Converter = (node, conversion) => {
  const size = 2 * intAttr(node, 'depth_radius', 5) + 1;
  onImages(node, conversion, (images) =>
    conversion.onnx.node('LRN', [images], {
      size,
      alpha: { float: floatAttr(node, 'alpha', 1) * size },
      beta: { float: floatAttr(node, 'beta', 0.5) },
      bias: { float: floatAttr(node, 'bias', 1) },
    }),
  );
};

export const NORMALISATIONS: Readonly<Record<string, Converter>> = {
  FusedBatchNorm: batchNormalisation,
  FusedBatchNormV2: batchNormalisation,
  FusedBatchNormV3: batchNormalisation,
  LRN: localResponse,
};
