import { floatAttr, type GraphNode, typeAttr } from '../savedmodel/graph-node.ts';
import { operations } from '../savedmodel/rewrites/rewrite.ts';
import type { Conversion } from './conversion.ts';
import { elementwise, isFloat } from './elementwise.ts';
import { onKernel } from './kernels.ts';
import { logOfOnePlus } from './tails.ts';

/** A zero keeps its sign through these, or the opposite one. */
const KEEPING = operations(
  'Identity StopGradient Reshape Squeeze ExpandDims Mul RealDiv Div Neg Sqrt Tanh Softsign Floor Ceil Round Rint Relu Relu6 Pow',
);
const QUOTIENTS = operations('RealDiv Div Xdivy Atan2');
const INVERSES = operations('Reciprocal Inv Rsqrt Pow');
const MAX_STEPS = 6;

/**
 * Whether something divides by the result of a Relu or Relu6, so that the infinities tell -0 from 0. TensorFlow's of -0 are 0, but for
 * the few numbers at a tensor's end that don't fill a processor's register; onnxruntime's are -0, and its maximum of -0 and 0 is 0.
 */
function showsSignOfZero(start: GraphNode, conversion: Conversion): boolean {
  if (!isFloat(start)) return false;
  let nodes = [start];
  for (let steps = 0; steps < MAX_STEPS && nodes.length > 0; steps++) {
    const next = new Set<GraphNode>();
    for (const node of nodes)
      for (const user of conversion.usersOf(node)) {
        const isDivisor = QUOTIENTS.has(user.op) && user.inputs[1]?.node === node.name;
        if (isDivisor || INVERSES.has(user.op)) return true;
        if (KEEPING.has(user.op)) next.add(user);
      }
    nodes = [...next];
  }
  return false;
}

/** TensorFlow's `Relu`. */
export const relu = elementwise((inputs, node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  if (showsSignOfZero(node, conversion)) return onnx.op('Max', ...inputs, conversion.scalar(node, 0));
  return onKernel(node, onnx, 'Relu', dtype, inputs, (carried) => onnx.node('Relu', carried));
});

/** Relu with a ceiling of 6. */
export const relu6 = elementwise(([x = ''], node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  if (showsSignOfZero(node, conversion)) {
    const above = onnx.op('Max', x, conversion.scalar(node, 0));
    return onnx.op('Min', above, conversion.scalar(node, 6));
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
  const below = onnx.op(
    'Mul',
    onnx.op('Sub', onnx.node('Exp', inputs), conversion.scalar(node, 1)),
    conversion.scalar(node, scale * alpha),
  );
  const above = onnx.op('Mul', x, conversion.scalar(node, scale));
  return onnx.op('Where', onnx.op('Less', x, conversion.scalar(node, 0)), below, above);
});

/** Values below 0 times `alpha`, which TensorFlow sets to 0.2 where a graph leaves it out; ONNX's own default is 0.01. */
export const leakyRelu = elementwise((inputs, node, { onnx }) =>
  onnx.node('LeakyRelu', inputs, { alpha: { float: floatAttr(node, 'alpha', 0.2) } }),
);

/** onnxruntime's overflows in double precision. */
export const softplus = elementwise((inputs, node, conversion) => {
  const { onnx } = conversion;
  if (typeAttr(node, 'T', 'float32') !== 'float64') return onnx.node('Softplus', inputs);
  const decay = onnx.op('Exp', onnx.op('Neg', onnx.node('Abs', inputs)));
  const rest = logOfOnePlus(decay, node, conversion);
  return onnx.op('Add', onnx.node('Relu', inputs), rest);
});

/** One quotient, as TensorFlow rounds it: onnxruntime's own takes the inverse of 1 + |x| first, and its last bit differs. */
export const softsign = elementwise(([x = ''], node, conversion) => {
  const { onnx } = conversion;
  const size = onnx.op('Add', onnx.op('Abs', x), conversion.scalar(node, 1));
  return onnx.op('Div', x, size);
});
