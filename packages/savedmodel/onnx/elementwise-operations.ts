import { inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import { leakyRelu, relu, relu6, selu, softplus, softsign } from './activation.ts';
import { castFloats } from './cast-floats.ts';
import { selectRows, where } from './choosing.ts';
import type { Converter } from './conversion.ts';
import { div, divNoNan, floorDiv, floorMod } from './division.ts';
import { as, elementwise, isFloat, ofFloats, onKernels, sameNamed } from './elementwise.ts';
import { clip, extremes } from './extreme.ts';
import { guardedEach } from './guard.ts';
import { castIntegers } from './kernels.ts';
import { broadcastShape, OPEN, shapeLike, type ShapeRule } from './known-tensors.ts';
import { alike, type Family, shaped } from './operation.ts';
import { isRoundedToBfloat16 } from './rounded-to-bfloat16.ts';
import { erf, erfc, log1p, sigmoid, tanh } from './tails.ts';

const rsqrt = elementwise((inputs, _, { onnx }) => onnx.op('Reciprocal', onnx.node('Sqrt', inputs)));

const square = elementwise(([x = ''], _, { onnx }) => onnx.op('Mul', x, x));

const not = (op: string) => elementwise((inputs, _, { onnx }) => onnx.op('Not', onnx.node(op, inputs)));

const squaredDifference = elementwise((inputs, node, { onnx }) => {
  const exact = onnx.node('Sub', inputs);
  const difference = isRoundedToBfloat16(node) ? onnx.roundToBfloat16(exact) : exact;
  return onnx.op('Mul', difference, difference);
});

/** The largest exponent of an integer power that is spelled out as products, which wrap around as TensorFlow's do. */
const MAX_INTEGER_EXPONENT = 64;

const pow: Converter = (node, conversion) => {
  if (isFloat(node)) {
    as('Pow')(node, conversion);
    return;
  }
  const exponent = conversion.constant(inputOf(node, 1));
  const [times] = exponent?.data ?? [];
  const fits = times !== undefined && times >= 0 && times <= MAX_INTEGER_EXPONENT;
  if (exponent?.shape.length !== 0 || !fits) throw unsupported(node, 'of integers with such exponents');
  const { onnx } = conversion;
  const base = { ...node, inputs: node.inputs.slice(0, 1) };
  elementwise(([x = '']) => {
    let result = onnx.op('Expand', conversion.scalar(node, 1), onnx.shape(x));
    for (let count = 0; count < times; count++) result = onnx.op('Mul', result, x);
    return result;
  })(base, conversion);
};

const cast = elementwise(([x = ''], node, { onnx }) => {
  const [from, to] = [typeAttr(node, 'SrcT'), typeAttr(node, 'DstT')];
  if (!isInteger(to)) return onnx.cast(x, to);
  if (isInteger(from)) return castIntegers(onnx, x, from, to);
  return from.startsWith('float') ? castFloats(onnx, x, from, to) : onnx.cast(x, to);
});

function isInteger(dtype: DType): boolean {
  return /^u?int/.test(dtype);
}

const addN: Converter = elementwise((inputs, _, { onnx }) =>
  inputs.reduce((sum, input) => onnx.op('Add', sum, input)),
);

/** Compared when the model runs, unless the sizes are known beforehand. */
const ensureShape: Converter = (node, conversion) => {
  const declared = node.attributes.get('shape')?.shape ?? null;
  const known = conversion.shape(inputOf(node, 0));
  const agrees = (size: number, axis: number) => size < 0 || size === known?.[axis];
  if (declared === null || (declared.length === known?.length && declared.every(agrees))) {
    elementwise(([x = '']) => x)(node, conversion);
    return;
  }
  const { onnx } = conversion;
  const shape = conversion.shapeOf(node);
  const rank = onnx.op('Equal', onnx.shape(shape), [declared.length]);
  const axes = [...declared.keys()].filter((axis) => (declared[axis] ?? -1) >= 0);
  const given = onnx.op('Gather', shape, axes);
  const wanted = onnx.integers(axes.map((axis) => declared[axis] ?? 0));
  const same = onnx.join(rank, onnx.op('Equal', given, wanted));
  const otherwise = `the shape is not [${declared.join(', ')}]`;
  elementwise(([x = '']) => guardedEach(onnx, x, same, otherwise))(node, conversion);
};

/** The declared sizes; where a size isn't declared, the input's. */
const ensuredShape: ShapeRule = (known) => {
  const declared = known.node.attributes.get('shape')?.shape ?? null;
  const given = known.shape(0);
  return declared === null
    ? given
    : declared.map((size, axis) => (size < 0 ? (given?.[axis] ?? OPEN) : size));
};

/** Operations of one element of each input, with broadcasting. */
export const ELEMENTWISE: Family = {
  title: 'Element by element',
  takes: 'all element types that TensorFlow has kernels for, with broadcasting',
  limits: [
    ['Erf Erfc', 'float64 is refused'],
    ['Round', 'integers are refused'],
    ['Pow', 'of integers only with one constant exponent from 0 to 64'],
    ['Div FloorDiv FloorMod', 'an integer division by zero fails the request; by a constant it is refused'],
    [
      'Cast',
      'floats that do not fit 8 or 16 bits or a uint32 end the run: TensorFlow saturates some elements of a tensor and wraps others around',
    ],
    [
      '',
      'for numbers below 1.2e-38 nothing is promised: TensorFlow takes them for zero by their place in the tensor',
    ],
  ],
  operations: {
    ...shaped(broadcastShape, {
      ...sameNamed('Add Sub Mul Less Greater Equal'),
      AddV2: as('Add'),
      AddN: addN,
      RealDiv: as('Div'),
      Div: div,
      DivNoNan: divNoNan,
      FloorDiv: floorDiv,
      FloorMod: floorMod,
      Maximum: extremes('Max'),
      Minimum: extremes('Min'),
      Pow: pow,
      SquaredDifference: squaredDifference,
      LessEqual: as('LessOrEqual'),
      GreaterEqual: as('GreaterOrEqual'),
      NotEqual: not('Equal'),
      LogicalAnd: as('And'),
      LogicalOr: as('Or'),
      SelectV2: where,
      ClipByValue: clip,
    }),
    ...shaped(shapeLike(0), {
      ...sameNamed('Elu Sin Cos Exp Log Sqrt Abs Sign Floor Ceil'),
      LogicalNot: as('Not'),
      Relu: relu,
      Relu6: relu6,
      LeakyRelu: leakyRelu,
      Selu: selu,
      Sigmoid: sigmoid,
      Softplus: softplus,
      Softsign: softsign,
      Tanh: tanh,
      Log1p: log1p,
      Rsqrt: rsqrt,
      Reciprocal: onKernels('Reciprocal'),
      Inv: onKernels('Reciprocal'),
      Square: square,
      Neg: onKernels('Neg'),
      Round: ofFloats('Round'),
      Rint: as('Round'),
      Erf: erf,
      Erfc: erfc,
      IsNan: as('IsNaN'),
      IsInf: as('IsInf'),
      Cast: cast,
      CheckNumerics: elementwise(([x = ''], _, { onnx }) => {
        const odd = onnx.op('Or', onnx.op('IsNaN', x), onnx.op('IsInf', x));
        return guardedEach(onnx, x, onnx.op('Not', odd), 'a value is infinite or not a number');
      }),
    }),
    ...alike(
      'Identity StopGradient PreventGradient Snapshot',
      elementwise(([x = '']) => x),
      shapeLike(0),
    ),
    Select: [selectRows, shapeLike(1)],
    EnsureShape: [ensureShape, ensuredShape],
  },
};
