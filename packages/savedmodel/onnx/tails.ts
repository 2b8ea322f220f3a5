import { type GraphNode, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Conversion } from './conversion.ts';
import { elementwise } from './elementwise.ts';
import { isGate } from './gates.ts';
import { onKernel } from './kernels.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** Steps of single or double precision. onnxruntime rounds each as TensorFlow's kernels do. */
function steps(onnx: OnnxGraph, dtype: 'float32' | 'float64' = 'float32') {
  const { op } = onnx;
  const number = (value: number) => onnx.scalar(dtype, value);
  const fma = (a: string, b: string, c: string) => op('Add', op('Mul', a, b), c);
  const horner = (x: string, [first = 0, ...rest]: readonly number[]) =>
    rest.reduce((sum, factor) => fma(sum, x, number(factor)), number(first));
  return { op, number, fma, horner };
}

type Form = (x: string, onnx: OnnxGraph, node: GraphNode) => string;

/**
 * A function that has to reach 1 where TensorFlow's does, and not where mathematics does. It's computed step by step as in Eigen,
 * which TensorFlow uses (Eigen of 2024 and later, Mozilla Public License 2.0), without fused multiply-add. So the rest after a
 * subtraction has TensorFlow's digits as well.
 *
 * @param plain for a function that only gates its own argument, since the steps take several times as long
 * @param double in double precision
 */
const saturating = (single: Form, plain: Form, double: Form = plain) =>
  elementwise(([x = ''], node, conversion) => {
    const { onnx } = conversion;
    const dtype = typeAttr(node, 'T', 'float32');
    if (isGate(node, conversion)) return plain(x, onnx, node);
    if (dtype === 'float64') return double(x, onnx, node);
    return dtype === 'float32'
      ? single(x, onnx, node)
      : onnx.cast(single(onnx.cast(x, 'float32'), onnx, node), dtype);
  });

/** Eigen's ptanh_float and ptanh_double: x + x³ P(x²) over Q(x²), in GenericPacketMathFunctions.h. */
const TANH = {
  float32: {
    end: 7.90738964080810547,
    odd: [1.394553628e-8, 2.10273356e-5, 3.520756727e-3, 1.3402161e-1],
    even: [8.015776984e-7, 3.326951409e-4, 2.597254514e-2, 4.67354834e-1, 1],
  },
  float64: {
    end: 17.714196154005176,
    odd: [
      2.615800786048223e-23, 7.653486226874932e-19, 3.130948823138668e-15, 4.230391814820918e-12,
      2.4618379131293676e-9, 6.864436768249707e-7, 9.383908767426888e-5, 0.005980971172444116,
      0.15184719640284322,
    ],
    even: [
      6.463747022670968e-21, 5.782506856739004e-17, 1.293019623712688e-13, 1.123643448069622e-10,
      4.492975677839634e-8, 8.785185266237659e-6, 0.0008295161192716232, 0.03437448108450403,
      0.48518052973617604, 1,
    ],
  },
};

const tanhBySteps =
  (dtype: 'float32' | 'float64'): Form =>
  (given, onnx) => {
    const { op, fma, horner } = steps(onnx, dtype);
    const { end, odd, even } = TANH[dtype];
    const x = onnx.clip(given, dtype, -end, end);
    const square = op('Mul', x, x);
    const numerator = fma(op('Mul', square, x), horner(square, odd), x);
    return op('Div', numerator, horner(square, even));
  };

/** TensorFlow's `Tanh`. */
export const tanh = saturating(
  tanhBySteps('float32'),
  (x, onnx) => onnx.op('Tanh', x),
  tanhBySteps('float64'),
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
    return onnx.clip(quotient, 'float32', -1, 1);
  },
  (x, onnx, node) =>
    onKernel(node, onnx, 'Erf', typeAttr(node, 'T', 'float32'), [x], (carried) => onnx.node('Erf', carried)),
);

/**
 * The polynomial of Eigen's exponential function (GenericPacketMathFunctions.h), and the limits of its logistic function
 * (UnaryFunctors.h).
 */
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

/** Eigen's pexp_double, a quotient of two polynomials, and the limits of its logistic function. */
const EXP64 = {
  first: -708.3964185322641,
  last: 40,
  odd: [0.00012617719307481058, 0.030299440770744195, 1],
  even: [3.0019850513866446e-6, 0.002524483403496841, 0.22726554820815503, 2],
  logOfTwo: [-0.693145751953125, -1.4286068203094173e-6],
};

/** In double precision exp is taken of the whole argument, and what is below the smallest normal number is zero. */
const sigmoidOfDoubles: Form = (given, onnx) => {
  const { op, number, fma, horner } = steps(onnx, 'float64');
  const clipped = onnx.clip(given, 'float64', EXP64.first, EXP64.last);
  const turns = op('Floor', fma(clipped, number(EXP.log2OfE), number(0.5)));
  const x = EXP64.logOfTwo.reduce((rest, part) => fma(turns, number(part), rest), clipped);
  const square = op('Mul', x, x);
  const odd = op('Mul', horner(square, EXP64.odd), x);
  const quotient = op('Div', odd, op('Sub', horner(square, EXP64.even), odd));
  const small = fma(quotient, number(2), number(1));
  const exp = op('Mul', small, op('Pow', number(2), turns));
  const result = op('Div', exp, op('Add', exp, number(1)));
  return op('Where', op('Less', given, number(EXP64.first)), number(0), result);
};

/** exp(x) / (1 + exp(x)) */
export const sigmoid = saturating(
  (given, onnx) => {
    const { op, number, fma, horner } = steps(onnx);
    const isNaN = op('IsNaN', given);
    const some = op('Where', isNaN, number(0), given);
    const clipped = onnx.clip(some, 'float32', SIGMOID.first, SIGMOID.last);
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
      const decay = onnx.op('Exp', onnx.op('Neg', wide));
      return onnx.op('Reciprocal', onnx.op('Add', decay, onnx.scalar(carrier, 1)));
    };
    // Half precision would overflow amid the way.
    return dtype === 'float16'
      ? onnx.cast(logistic(onnx.cast(x, 'float32'), 'float32'), dtype)
      : logistic(x, dtype);
  },
  sigmoidOfDoubles,
);

/** log(1 + x) with the digits of small x: what rounding 1 + x has lost is divided out again. https://doi.org/10.1145/214408.214412 */
export function logOfOnePlus(x: string, node: GraphNode, conversion: Conversion): string {
  const { onnx } = conversion;
  const one = conversion.scalar(node, 1);
  const sum = onnx.op('Add', x, one);
  const lost = onnx.op('Div', x, onnx.op('Sub', sum, one));
  const log = onnx.op('Log', sum);
  const isTiny = onnx.op('Equal', sum, one);
  const isLarge = onnx.op('IsInf', sum);
  return onnx.op('Where', isTiny, x, onnx.op('Where', isLarge, log, onnx.op('Mul', log, lost)));
}

/** TensorFlow's `Log1p`. */
export const log1p = elementwise(([x = ''], node, conversion) => logOfOnePlus(x, node, conversion));

/**
 * erfc of a positive number is t exp(-x² + P(t)) with t = 1 / (1 + x / 2). Press et al., Numerical Recipes in C, 6.2: off by
 * 1.2e-7 of it.
 */
const ERFC = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
];

/** In double precision, so that the result has all the digits of a single one wherever it lies. */
export const erfc = elementwise(([x = ''], node, { onnx }) => {
  const dtype = typeAttr(node, 'T', 'float32');
  if (dtype === 'float64') throw unsupported(node, dtype);
  const { op } = onnx;
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
