import { floatAttr, typeAttr, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';

type Build = (inputs: readonly string[], node: GraphNode, conversion: Conversion) => string;

/** An operation that works element by element: it keeps the order of axes that its inputs have. */
function elementwise(build: Build): Converter {
  return (node, conversion) => {
    if (conversion.allChannelsFirst(node)) {
      const inputs = node.inputs.map((_, index) => conversion.broadcastInput(node, index));
      conversion.setChannelsFirst(node, build(inputs, node, conversion));
    } else {
      const inputs = node.inputs.map((ref) => conversion.value(ref));
      conversion.set(node, build(inputs, node, conversion));
    }
  };
}

const as = (op: string): Converter => elementwise((inputs, _, { onnx }) => onnx.node(op, inputs));

const rsqrt = elementwise((inputs, _, { onnx }) => onnx.node('Reciprocal', [onnx.node('Sqrt', inputs)]));
const square = elementwise(([x = ''], _, { onnx }) => onnx.node('Mul', [x, x]));
const not = (op: string) => elementwise((inputs, _, { onnx }) => onnx.node('Not', [onnx.node(op, inputs)]));

const squaredDifference = elementwise((inputs, _, { onnx }) => {
  const difference = onnx.node('Sub', inputs);
  return onnx.node('Mul', [difference, difference]);
});

const relu6 = elementwise(([x = ''], node, conversion) =>
  conversion.onnx.node('Clip', [x, conversion.scalar(node, 0), conversion.scalar(node, 6)]),
);

const leakyRelu = elementwise((inputs, node, { onnx }) =>
  onnx.node('LeakyRelu', inputs, { alpha: { float: floatAttr(node, 'alpha', 0.2) } }),
);

const erfc = elementwise((inputs, node, conversion) =>
  conversion.onnx.node('Sub', [conversion.scalar(node, 1), conversion.onnx.node('Erf', inputs)]),
);

const log1p = elementwise(([x = ''], node, conversion) =>
  conversion.onnx.node('Log', [conversion.onnx.node('Add', [x, conversion.scalar(node, 1)])]),
);

/** What is left after the remainder is taken off divides exactly, so ONNX's rounding towards zero does not matter. */
const floorDiv = elementwise(([a = '', b = ''], node, { onnx }) => {
  const isFloat = typeAttr(node, 'T', 'float32').startsWith('float');
  if (isFloat) return onnx.node('Floor', [onnx.node('Div', [a, b])]);
  return onnx.node('Div', [onnx.node('Sub', [a, onnx.node('Mod', [a, b])]), b]);
});

/** TensorFlow's remainder has the sign of the divisor, as ONNX's has with `fmod` 0, but that is for integers only. */
const floorMod = elementwise(([a = '', b = ''], node, { onnx }) => {
  if (!typeAttr(node, 'T', 'float32').startsWith('float')) return onnx.node('Mod', [a, b]);
  const whole = onnx.node('Floor', [onnx.node('Div', [a, b])]);
  return onnx.node('Sub', [a, onnx.node('Mul', [whole, b])]);
});

/** TensorFlow's 0 / 0 is 0 here. */
const divNoNan = elementwise(([a = '', b = ''], node, conversion) => {
  const { onnx } = conversion;
  const zero = conversion.scalar(node, 0);
  return onnx.node('Where', [onnx.node('Equal', [b, zero]), zero, onnx.node('Div', [a, b])]);
});

const cast = elementwise(([x = ''], node, { onnx }) => onnx.cast(x, typeAttr(node, 'DstT')));

const clip: Converter = elementwise(([x = '', low = '', high = ''], _, { onnx }) =>
  onnx.node('Min', [onnx.node('Max', [x, low]), high]),
);

const addN: Converter = elementwise((inputs, _, { onnx }) => onnx.node('Sum', inputs));

/** A vector of conditions chooses whole rows here, so it gets as many axes of size 1 behind its own as the rows have. */
const selectRows: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [condition, chosen, other] = [0, 1, 2].map((index) => conversion.input(node, index));
  if (condition === undefined || chosen === undefined || other === undefined)
    throw unsupported(node, 'without inputs');
  const own = onnx.node('Shape', [condition]);
  const rank = onnx.node('Reshape', [onnx.node('Size', [own]), onnx.integers([1])]);
  const one = onnx.integers([1]);
  const ones = onnx.node('Expand', [one, onnx.node('Shape', [onnx.node('Shape', [chosen])])]);
  const behind = onnx.node('Slice', [ones, rank, onnx.integers([2 ** 31 - 1])]);
  const shape = onnx.node('Concat', [own, behind], { axis: 0 });
  conversion.set(node, onnx.node('Where', [onnx.node('Reshape', [condition, shape]), chosen, other]));
};

/** Operations of one element of each input, with broadcasting. */
export const ELEMENTWISE: Readonly<Record<string, Converter>> = {
  Add: as('Add'),
  AddV2: as('Add'),
  AddN: addN,
  Sub: as('Sub'),
  Mul: as('Mul'),
  RealDiv: as('Div'),
  Div: as('Div'),
  DivNoNan: divNoNan,
  FloorDiv: floorDiv,
  FloorMod: floorMod,
  Maximum: as('Max'),
  Minimum: as('Min'),
  Pow: as('Pow'),
  SquaredDifference: squaredDifference,
  Less: as('Less'),
  LessEqual: as('LessOrEqual'),
  Greater: as('Greater'),
  GreaterEqual: as('GreaterOrEqual'),
  Equal: as('Equal'),
  NotEqual: not('Equal'),
  LogicalAnd: as('And'),
  LogicalOr: as('Or'),
  LogicalNot: as('Not'),
  Select: selectRows,
  SelectV2: as('Where'),
  ClipByValue: clip,
  Relu: as('Relu'),
  Relu6: relu6,
  LeakyRelu: leakyRelu,
  Elu: as('Elu'),
  Selu: as('Selu'),
  Sigmoid: as('Sigmoid'),
  Softplus: as('Softplus'),
  Softsign: as('Softsign'),
  Tanh: as('Tanh'),
  Sin: as('Sin'),
  Cos: as('Cos'),
  Exp: as('Exp'),
  Log: as('Log'),
  Log1p: log1p,
  Sqrt: as('Sqrt'),
  Rsqrt: rsqrt,
  Reciprocal: as('Reciprocal'),
  Inv: as('Reciprocal'),
  Square: square,
  Neg: as('Neg'),
  Abs: as('Abs'),
  Sign: as('Sign'),
  Floor: as('Floor'),
  Ceil: as('Ceil'),
  Round: as('Round'),
  Rint: as('Round'),
  Erf: as('Erf'),
  Erfc: erfc,
  IsNan: as('IsNaN'),
  IsInf: as('IsInf'),
  Cast: cast,
  Identity: elementwise(([x = '']) => x),
  StopGradient: elementwise(([x = '']) => x),
  PreventGradient: elementwise(([x = '']) => x),
  Snapshot: elementwise(([x = '']) => x),
  EnsureShape: elementwise(([x = '']) => x),
  CheckNumerics: elementwise(([x = '']) => x),
};
