import { boolAttr, floatAttr, intAttr } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { asserted } from './guard.ts';
import { shapeLike } from './known-tensors.ts';
import { alike, type Family } from './operation.ts';

/** In training each channel is normalized by the mean and variance of the images themselves. */
const trainingNormalization: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const channel = (index: number) => onnx.op('Reshape', conversion.input(node, index), [1, -1, 1, 1]);
  onImages(node, conversion, (images) => {
    const mean = (tensor: string) => onnx.op('ReduceMean', tensor, [0, 2, 3]);
    const centered = onnx.op('Sub', images, mean(images));
    const variance = mean(onnx.op('Mul', centered, centered));
    const epsilon = onnx.scalar('float32', floatAttr(node, 'epsilon', 1e-4));
    const deviation = onnx.op('Sqrt', onnx.op('Add', variance, epsilon));
    const scaled = onnx.op('Mul', onnx.op('Div', centered, deviation), channel(1));
    return onnx.op('Add', scaled, channel(2));
  });
};

const batchNormalization: Converter = (node, conversion) => {
  if (boolAttr(node, 'is_training', true)) {
    trainingNormalization(node, conversion);
    return;
  }
  const [scale = '', offset = '', mean = '', variance = ''] = [1, 2, 3, 4].map((index) =>
    conversion.input(node, index),
  );
  onImages(node, conversion, (images) =>
    conversion.onnx.node('BatchNormalization', [images, scale, offset, mean, variance], {
      epsilon: { float: floatAttr(node, 'epsilon', 1e-4) },
    }),
  );
};

/**
 * ONNX divides alpha by the number of channels that it sums over. TensorFlow sums by a product of matrices that are mostly zero,
 * through which what is not a finite number reaches other channels of its pixel: such a run ends.
 */
const localResponse: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const size = 2 * intAttr(node, 'depth_radius', 5) + 1;
  onImages(node, conversion, (images) => {
    const squares = onnx.node('ReduceSumSquare', [images], { keepdims: 0 });
    const isFinite = onnx.op('Less', squares, conversion.scalar(node, Infinity));
    asserted(onnx, isFinite, 'a value is infinite or not a number');
    return onnx.node('LRN', [images], {
      size,
      alpha: { float: floatAttr(node, 'alpha', 1) * size },
      beta: { float: floatAttr(node, 'beta', 0.5) },
      bias: { float: floatAttr(node, 'bias', 1) },
    });
  });
};

/** Images normalized channel by channel, by mean and variance, or by their neighboring channels (`LRN`). */
export const NORMALIZATIONS: Family = {
  title: 'Normalization',
  takes: 'float32; channels last and first',
  limits: [['LRN', 'infinities and NaN end the run']],
  operations: {
    ...alike('FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3', batchNormalization, shapeLike(0)),
    LRN: [localResponse, shapeLike(0)],
  },
};
