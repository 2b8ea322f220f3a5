import { type GraphNode, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion } from './conversion.ts';
import { elementwise } from './elementwise.ts';

/**
 * 1 / (1 + exp(-x)), which keeps the digits of small results. onnxruntime's own is a rational function that ends near -18 and is off by
 * multiples of 6e-8.
 */
export const sigmoid = elementwise(([x = ''], node, { onnx }) => {
  const dtype = typeAttr(node, 'T', 'float32');
  // Half precision would overflow amid the way.
  const carrier = dtype === 'float16' ? 'float32' : dtype;
  const wide = carrier === dtype ? x : onnx.cast(x, carrier);
  const decay = onnx.node('Exp', [onnx.node('Neg', [wide])]);
  const result = onnx.node('Reciprocal', [onnx.node('Add', [decay, onnx.scalar(carrier, 1)])]);
  return carrier === dtype ? result : onnx.cast(result, dtype);
});

/** log(1 + x) with the digits of small x: what rounding 1 + x has lost is divided out again. https://doi.org/10.1145/214408.214412 */
export function logOfOnePlus(x: string, node: GraphNode, conversion: Conversion): string {
  const { onnx } = conversion;
  const one = conversion.scalar(node, 1);
  const sum = onnx.node('Add', [x, one]);
  const lost = onnx.node('Div', [x, onnx.node('Sub', [sum, one])]);
  const log = onnx.node('Log', [sum]);
  const isTiny = onnx.node('Equal', [sum, one]);
  const isLarge = onnx.node('IsInf', [sum]);
  return onnx.node('Where', [isTiny, x, onnx.node('Where', [isLarge, log, onnx.node('Mul', [log, lost])])]);
}

/** TensorFlow's `Log1p`. */
export const log1p = elementwise(([x = ''], node, conversion) => logOfOnePlus(x, node, conversion));

/** erfc of a positive number is t exp(-x² + P(t)) with t = 1 / (1 + x / 2). Press et al., Numerical Recipes in C, 6.2: off by 1.2e-7 of it. */
const ERFC = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
];

/** In double precision, so that the result has all the digits of a single one wherever it lies. */
export const erfc = elementwise(([x = ''], node, { onnx }) => {
  const dtype = typeAttr(node, 'T', 'float32');
  if (dtype === 'float64') throw unsupported(node, dtype);
  const op = (name: string, ...inputs: readonly string[]) => onnx.node(name, inputs);
  const number = (value: number) => onnx.scalar('float64', value);
  const wide = onnx.cast(x, 'float64');
  const size = op('Abs', wide);
  const t = op('Reciprocal', op('Add', op('Mul', size, number(0.5)), number(1)));
  const series = ERFC.reduceRight(
    (sum, factor) => (sum === '' ? number(factor) : op('Add', op('Mul', sum, t), number(factor))),
    '',
  );
  const tail = op('Mul', t, op('Exp', op('Sub', series, op('Mul', size, size))));
  const isNegative = op('Less', wide, number(0));
  return onnx.cast(op('Where', isNegative, op('Sub', number(2), tail), tail), dtype);
});
