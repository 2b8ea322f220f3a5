import { type GraphNode, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { as, elementwise, sameNamed } from './elementwise.ts';
import { broadcastShape, scalarShape, shapeLike } from './known-tensors.ts';
import { alike, type Family, shaped } from './operation.ts';
import { logOfOnePlus } from './tails.ts';

/** onnxruntime 1.30 has these in single precision only, by TensorFlow's names. */
const inSinglePrecision = elementwise((inputs, node, { onnx }) => {
  const dtype = typeAttr(node, 'T', 'float32');
  if (dtype !== 'float32' && dtype !== 'float16') throw unsupported(node, dtype);
  return onnx.node(node.op, inputs);
});

/** exp(x) - 1 = tanh(x / 2) (exp(x) + 1), which keeps the digits of small x. */
const expm1 = elementwise(([x = ''], node, conversion) => {
  const { onnx } = conversion;
  const half = onnx.op('Tanh', onnx.op('Mul', x, conversion.scalar(node, 0.5)));
  return onnx.op('Mul', half, onnx.op('Add', onnx.op('Exp', x), conversion.scalar(node, 1)));
});

const isFinite = elementwise(([x = ''], node, { onnx }) => {
  const dtype = typeAttr(node, 'T', 'float32');
  const carried = dtype === 'float16' ? onnx.cast(x, 'float32') : x;
  const odd = onnx.op('Or', onnx.op('IsNaN', carried), onnx.op('IsInf', carried));
  return onnx.op('Not', odd);
});

/** 0 where x is 0, whatever y is. */
const whereNotZero = (
  build: (conversion: Conversion, x: string, y: string, node: GraphNode) => string,
): Converter =>
  elementwise(([x = '', y = ''], node, conversion) => {
    const { onnx } = conversion;
    const zero = conversion.scalar(node, 0);
    const value = build(conversion, x, y, node);
    return onnx.op('Where', onnx.op('Equal', x, zero), zero, value);
  });

/** 0 where y is 0, whatever x is. */
const mulNoNan = elementwise(([x = '', y = ''], node, conversion) => {
  const zero = conversion.scalar(node, 0);
  const { onnx } = conversion;
  return onnx.op('Where', onnx.op('Equal', y, zero), zero, onnx.op('Mul', x, y));
});

/** The angle of (x, y): first in the first quadrant, from the smaller coordinate divided by the larger, then mirrored. */
export const atan2 = elementwise(([y = '', x = ''], node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  if (dtype !== 'float32') throw unsupported(node, dtype);
  const { op } = onnx;
  const number = (value: number) => conversion.scalar(node, value);
  const [width, height] = [op('Abs', x), op('Abs', y)];
  const isSteep = op('Greater', height, width);
  const larger = op('Where', isSteep, height, width);
  const smaller = op('Where', isSteep, width, height);
  // Equal infinities and two zeros have no quotient.
  const isSame = op('Equal', smaller, larger);
  const isZero = op('Equal', larger, number(0));
  const quotient = op('Div', op('Where', isSame, number(1), smaller), op('Where', isSame, number(1), larger));
  const angle = op('Where', isZero, number(0), op('Atan', quotient));
  const upright = op('Where', isSteep, op('Sub', number(Math.PI / 2), angle), angle);
  // Zeros have signs, which only a division shows.
  const isNegative = (value: string) =>
    op(
      'Or',
      op('Less', value, number(0)),
      op('And', op('Equal', value, number(0)), op('Less', op('Div', number(1), value), number(0))),
    );
  const turned = op('Where', isNegative(x), op('Sub', number(Math.PI), upright), upright);
  const signed = op('Where', isNegative(y), op('Neg', turned), turned);
  return op('Where', op('Or', op('IsNaN', x), op('IsNaN', y)), number(NaN), signed);
});

/** Half the sum of squares. */
const l2Loss: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const squares = onnx.node('ReduceSumSquare', [conversion.input(node)], { keepdims: 0 });
  conversion.set(node, onnx.op('Mul', squares, conversion.scalar(node, 0.5)));
};

/** Functions of one or two numbers that few models have. */
export const SPECIAL_FUNCTIONS: Family = {
  title: 'Special functions',
  takes:
    'float32; Expm1, IsFinite, Xlogy, Xlog1py, Xdivy, MulNoNan, L2Loss also float64; bits of all integers',
  limits: [['Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Atan2', 'float64 is refused']],
  operations: {
    ...shaped(broadcastShape, {
      Atan2: atan2,
      Xlogy: whereNotZero(({ onnx }, x, y) => onnx.op('Mul', x, onnx.op('Log', y))),
      Xlog1py: whereNotZero((conversion, x, y, node) =>
        conversion.onnx.op('Mul', x, logOfOnePlus(y, node, conversion)),
      ),
      Xdivy: whereNotZero(({ onnx }, x, y) => onnx.op('Div', x, y)),
      MulNoNan: mulNoNan,
      ...sameNamed('BitwiseAnd BitwiseOr BitwiseXor'),
    }),
    ...shaped(shapeLike(0), {
      Expm1: expm1,
      IsFinite: isFinite,
      Invert: as('BitwiseNot'),
    }),
    ...alike('Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh', inSinglePrecision, shapeLike(0)),
    L2Loss: [l2Loss, scalarShape],
  },
};
