import { floatAttr, typeAttr } from '../savedmodel/graph-node.ts';
import { elementwise } from './elementwise.ts';
import { onKernel } from './kernels.ts';
import { showsSignOfZero } from './sign-of-zero.ts';
import { logOfOnePlus } from './tails.ts';

/** TensorFlow's `Relu`. */
export const relu = elementwise((inputs, node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  if (showsSignOfZero(node, conversion)) return onnx.node('Max', [...inputs, conversion.scalar(node, 0)]);
  return onKernel(node, onnx, 'Relu', dtype, inputs, (carried) => onnx.node('Relu', carried));
});

/** Relu with a ceiling of 6. */
export const relu6 = elementwise(([x = ''], node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  if (showsSignOfZero(node, conversion)) {
    const above = onnx.node('Max', [x, conversion.scalar(node, 0)]);
    return onnx.node('Min', [above, conversion.scalar(node, 6)]);
  }
  return onKernel(node, onnx, 'Clip', dtype, [x], ([carried = ''], carrier) =>
    onnx.clip(carried, carrier, 0, 6),
  );
});

/** ONNX has Selu's two factors in single precision. https://arxiv.org/abs/1706.02515 */
export const selu = elementwise((inputs, node, conversion) => {
  const { onnx } = conversion;
  const [x = ''] = inputs;
  if (typeAttr(node, 'T', 'float32') !== 'float64') return onnx.node('Selu', inputs);
  const scale = 1.0507009873554805;
  const alpha = 1.6732632423543772;
  const below = onnx.node('Mul', [
    onnx.node('Sub', [onnx.node('Exp', inputs), conversion.scalar(node, 1)]),
    conversion.scalar(node, scale * alpha),
  ]);
  const above = onnx.node('Mul', [x, conversion.scalar(node, scale)]);
  return onnx.node('Where', [onnx.node('Less', [x, conversion.scalar(node, 0)]), below, above]);
});

/** Values below 0 times `alpha`, which TensorFlow sets to 0.2 where a graph leaves it out; ONNX's own default is 0.01. */
export const leakyRelu = elementwise((inputs, node, { onnx }) =>
  onnx.node('LeakyRelu', inputs, { alpha: { float: floatAttr(node, 'alpha', 0.2) } }),
);

/** onnxruntime's overflows in double precision. */
export const softplus = elementwise((inputs, node, conversion) => {
  const { onnx } = conversion;
  if (typeAttr(node, 'T', 'float32') !== 'float64') return onnx.node('Softplus', inputs);
  const decay = onnx.node('Exp', [onnx.node('Neg', [onnx.node('Abs', inputs)])]);
  const rest = logOfOnePlus(decay, node, conversion);
  return onnx.node('Add', [onnx.node('Relu', inputs), rest]);
});

/** One quotient, as TensorFlow rounds it: onnxruntime's own takes the inverse of 1 + |x| first, and its last bit differs. */
export const softsign = elementwise(([x = ''], node, conversion) => {
  const { onnx } = conversion;
  const size = onnx.node('Add', [onnx.node('Abs', [x]), conversion.scalar(node, 1)]);
  return onnx.node('Div', [x, size]);
});
