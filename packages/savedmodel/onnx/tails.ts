import { type GraphNode, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Conversion } from './conversion.ts';
import { elementwise } from './elementwise.ts';
import { isGate } from './gates.ts';
import { onKernel } from './kernels.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** Steps of single precision, each of which onnxruntime rounds as TensorFlow's kernels do. */
function steps(onnx: OnnxGraph) {
  const op = (name: string, ...inputs: readonly string[]) => onnx.node(name, inputs);
  const number = (value: number) => onnx.scalar('float32', value);
  const fma = (a: string, b: string, c: string) => op('Add', op('Mul', a, b), c);
  const horner = (x: string, [first = 0, ...rest]: readonly number[]) =>
    rest.reduce((sum, factor) => fma(sum, x, number(factor)), number(first));
  return { op, number, fma, horner };
}

type Form = (x: string, onnx: OnnxGraph, node: GraphNode) => string;

/**
 * A function that has to reach 1 where TensorFlow's does, and not where mathematics does: in single precision it's computed step by step as by
 * Eigen, whose functions TensorFlow takes (Eigen of 2024 and later, Mozilla Public License 2.0), without fused multiply-add.
 *
 * @param plain for double precision, and where the function only gates its own argument, since the steps take several times as long
 */
const saturating = (single: Form, plain: Form) =>
  elementwise(([x = ''], node, conversion) => {
    const { onnx } = conversion;
    const dtype = typeAttr(node, 'T', 'float32');
    if (dtype === 'float64' || isGate(node, conversion)) return plain(x, onnx, node);
    return dtype === 'float32'
      ? single(x, onnx, node)
      : onnx.cast(single(onnx.cast(x, 'float32'), onnx, node), dtype);
  });

/** Eigen's ptanh_float: x + x³ P(x²) over Q(x²), in GenericPacketMathFunctions.h. */
const TANH = {
  end: 7.90738964080810547,
  odd: [1.394553628e-8, 2.10273356e-5, 3.520756727e-3, 1.3402161e-1],
  even: [8.015776984e-7, 3.326951409e-4, 2.597254514e-2, 4.67354834e-1, 1],
};

/** TensorFlow's `Tanh`. */
export const tanh = saturating(
  (given, onnx) => {
    const { op, number, fma, horner } = steps(onnx);
    const x = op('Clip', given, number(-TANH.end), number(TANH.end));
    const square = op('Mul', x, x);
    const numerator = fma(op('Mul', square, x), horner(square, TANH.odd), x);
    return op('Div', numerator, horner(square, TANH.even));
  },
  (x, onnx) => onnx.node('Tanh', [x]),
);

/** Eigen's erf: x P(x²) over Q(x²), in SpecialFunctionsImpl.h. */
const ERF = {
  odd: [
    2.12373220165e-6, 2.86197959213e-4, 3.65804834291e-3, 5.24330213666e-2, 1.8741607666e-1, 1.12837910652,
  ],
  even: [3.89185734094e-5, 1.14329601638e-3, 1.47520881146e-2, 1.12945675849e-1, 4.99425798655e-1, 1],
  maxSquare: 16,
};

/** TensorFlow's `Erf`. */
export const erf = saturating(
  (x, onnx) => {
    const { op, number, horner } = steps(onnx);
    const square = op('Min', op('Mul', x, x), number(ERF.maxSquare));
    const quotient = op('Div', op('Mul', x, horner(square, ERF.odd)), horner(square, ERF.even));
    return op('Clip', quotient, number(-1), number(1));
  },
  (x, onnx, node) =>
    onKernel(node, onnx, 'Erf', typeAttr(node, 'T', 'float32'), [x], (carried) => onnx.node('Erf', carried)),
);

/** The polynomial of Eigen's exponential function (GenericPacketMathFunctions.h), and where its logistic function ends (UnaryFunctors.h). */
const EXP = {
  even: [4.18986678123e-2, 0.499991416931],
  odd: [8.33471305668e-3, 0.166668772697],
  logOfTwo: [-0.693359375, 2.1219444e-4],
  log2OfE: 1.4426950408889634,
};
const SIGMOID = { first: -105, last: 16.6355324 };
/** TensorFlow takes smaller numbers for zero. */
const LEAST_NORMAL = 2 ** -126;
/** exp is taken of half the argument and squared, so that these powers of two suffice. */
const LEAST_POWER = -80;
const POWERS_OF_TWO = Float32Array.from({ length: 100 }, (_, index) => 2 ** (index + LEAST_POWER));

/** exp(x) / (1 + exp(x)) */
export const sigmoid = saturating(
  (given, onnx) => {
    const { op, number, fma, horner } = steps(onnx);
    const isNaN = op('IsNaN', given);
    const some = op('Where', isNaN, number(0), given);
    const clipped = op('Clip', some, number(SIGMOID.first), number(SIGMOID.last));
    const x = op('Mul', clipped, number(0.5));
    const turns = op('Floor', fma(x, number(EXP.log2OfE), number(0.5)));
    const r = EXP.logOfTwo.reduce((rest, part) => fma(turns, number(part), rest), x);
    const square = op('Mul', r, r);
    const polynomial = fma(r, horner(square, EXP.odd), horner(square, EXP.even));
    const small = fma(square, polynomial, op('Add', r, number(1)));
    const place = onnx.cast(op('Sub', turns, number(LEAST_POWER)), 'int32');
    const powers = onnx.constant({ dtype: 'float32', shape: [POWERS_OF_TWO.length], data: POWERS_OF_TWO });
    const root = op('Mul', small, op('Gather', powers, place));
    const exp = op('Mul', root, root);
    const result = op('Div', exp, op('Add', exp, number(1)));
    const isNone = op('Less', result, number(LEAST_NORMAL));
    return op('Where', isNaN, given, op('Where', isNone, number(0), result));
  },
  (x, onnx, node) => {
    const dtype = typeAttr(node, 'T', 'float32');
    const logistic = (wide: string, carrier: DType) => {
      const decay = onnx.node('Exp', [onnx.node('Neg', [wide])]);
      return onnx.node('Reciprocal', [onnx.node('Add', [decay, onnx.scalar(carrier, 1)])]);
    };
    // Half precision would overflow amid the way.
    return dtype === 'float16'
      ? onnx.cast(logistic(onnx.cast(x, 'float32'), 'float32'), dtype)
      : logistic(x, dtype);
  },
);

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
