import { floatAttr, type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import { isRoundedToBfloat16 } from './bfloat16.ts';
import { castFloats } from './cast-floats.ts';
import type { Conversion, Converter } from './conversion.ts';
import { allTrue, guarded } from './guard.ts';
import { carrierOf, castIntegers, type GappyOperation, onKernel } from './kernels.ts';
import type { OnnxGraph } from './onnx-graph.ts';

type Build = (inputs: readonly string[], node: GraphNode, conversion: Conversion) => string;

/** An operation that works element by element: it keeps the order of axes that its inputs have. */
export function elementwise(build: Build): Converter {
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

/** As `as`, for an operation that has no kernel for every element type. */
const onKernels = (op: GappyOperation): Converter =>
  elementwise((inputs, node, { onnx }) =>
    onKernel(node, onnx, op, typeAttr(node, 'T', 'float32'), inputs, (carried) => onnx.node(op, carried)),
  );

const isFloat = (node: GraphNode) => typeAttr(node, 'T', 'float32').startsWith('float');
const isUnsigned = (node: GraphNode) => typeAttr(node, 'T', 'float32').startsWith('uint');

/** An operation on floats only; what TensorFlow gives for integers is not its documented result. */
const ofFloats = (op: string): Converter =>
  elementwise((inputs, node, { onnx }) => {
    if (!isFloat(node)) throw unsupported(node, typeAttr(node, 'T'));
    return onnx.node(op, inputs);
  });

const rsqrt = elementwise((inputs, _, { onnx }) => onnx.node('Reciprocal', [onnx.node('Sqrt', inputs)]));
const square = elementwise(([x = ''], _, { onnx }) => onnx.node('Mul', [x, x]));
const not = (op: string) => elementwise((inputs, _, { onnx }) => onnx.node('Not', [onnx.node(op, inputs)]));

const squaredDifference = elementwise((inputs, node, { onnx }) => {
  const exact = onnx.node('Sub', inputs);
  const difference = isRoundedToBfloat16(node) ? onnx.roundToBfloat16(exact) : exact;
  return onnx.node('Mul', [difference, difference]);
});

const relu6 = elementwise(([x = ''], node, { onnx }) => {
  const dtype = typeAttr(node, 'T', 'float32');
  return onKernel(node, onnx, 'Clip', dtype, [x], ([carried = ''], carrier) =>
    onnx.node('Clip', [carried, onnx.scalar(carrier, 0), onnx.scalar(carrier, 6)]),
  );
});

/** ONNX has Selu's two factors in single precision. https://arxiv.org/abs/1706.02515 */
const selu = elementwise((inputs, node, conversion) => {
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

const leakyRelu = elementwise((inputs, node, { onnx }) =>
  onnx.node('LeakyRelu', inputs, { alpha: { float: floatAttr(node, 'alpha', 0.2) } }),
);

const erfc = elementwise((inputs, node, conversion) => {
  carrierOf(node, 'Erf', typeAttr(node, 'T', 'float32'));
  return conversion.onnx.node('Sub', [conversion.scalar(node, 1), conversion.onnx.node('Erf', inputs)]);
});

const log1p = elementwise(([x = ''], node, conversion) =>
  conversion.onnx.node('Log', [conversion.onnx.node('Add', [x, conversion.scalar(node, 1)])]),
);

/** Whether the remainder of a division towards zero has another sign than the divisor. */
function isOnOtherSide(conversion: Conversion, node: GraphNode, remainder: string, divisor: string): string {
  const { onnx } = conversion;
  const zero = conversion.scalar(node, 0);
  const negative = (value: string) => onnx.node('Less', [value, zero]);
  const exact = onnx.node('Equal', [remainder, zero]);
  return onnx.node('And', [
    onnx.node('Not', [exact]),
    onnx.node('Xor', [negative(remainder), negative(divisor)]),
  ]);
}

/** Nothing but a tensor without elements can be divided by a constant zero. @throws {UnsupportedModel} */
function refuseZero(node: GraphNode, conversion: Conversion): void {
  if (!isFloat(node) && conversion.numbers(inputOf(node, 1))?.includes(0) === true)
    throw unsupported(node, 'division by zero');
}

const div = elementwise((inputs, node, conversion) => {
  refuseZero(node, conversion);
  return conversion.onnx.node('Div', inputs);
});

/** ONNX divides integers towards zero, TensorFlow towards minus infinity. */
const floorDiv = elementwise(([a = '', b = ''], node, conversion) => {
  refuseZero(node, conversion);
  const { onnx } = conversion;
  const quotient = onnx.node('Div', [a, b]);
  if (isFloat(node)) return onnx.node('Floor', [quotient]);
  if (isUnsigned(node)) return quotient;
  // Not onnxruntime's own remainder towards zero, which it computes in doubles.
  const remainder = onnx.node('Sub', [a, onnx.node('Mul', [quotient, b])]);
  const below = isOnOtherSide(conversion, node, remainder, b);
  return onnx.node('Sub', [quotient, onnx.cast(below, typeAttr(node, 'T'))]);
});

/** TensorFlow's remainder has the sign of the divisor, as ONNX's has with `fmod` 0, but that is for integers only. */
const floorMod = elementwise(([a = '', b = ''], node, conversion) => {
  refuseZero(node, conversion);
  const { onnx } = conversion;
  if (!isFloat(node)) return onnx.node('Mod', [a, b]);
  const remainder = onnx.node('Mod', [a, b], { fmod: 1 });
  const other = isOnOtherSide(conversion, node, remainder, b);
  return onnx.node('Where', [other, onnx.node('Add', [remainder, b]), remainder]);
});

/** onnxruntime's overflows in double precision. */
const softplus = elementwise((inputs, node, conversion) => {
  const { onnx } = conversion;
  if (typeAttr(node, 'T', 'float32') !== 'float64') return onnx.node('Softplus', inputs);
  const decay = onnx.node('Exp', [onnx.node('Neg', [onnx.node('Abs', inputs)])]);
  const rest = onnx.node('Log', [onnx.node('Add', [decay, conversion.scalar(node, 1)])]);
  return onnx.node('Add', [onnx.node('Relu', inputs), rest]);
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
    let result = onnx.node('Expand', [conversion.scalar(node, 1), onnx.node('Shape', [x])]);
    for (let count = 0; count < times; count++) result = onnx.node('Mul', [result, x]);
    return result;
  })(base, conversion);
};

/** TensorFlow's 0 / 0 is 0 here. */
const divNoNan = elementwise(([a = '', b = ''], node, conversion) => {
  const { onnx } = conversion;
  const zero = conversion.scalar(node, 0);
  return onnx.node('Where', [onnx.node('Equal', [b, zero]), zero, onnx.node('Div', [a, b])]);
});

const cast = elementwise(([x = ''], node, { onnx }) => {
  const [from, to] = [typeAttr(node, 'SrcT'), typeAttr(node, 'DstT')];
  if (!isInteger(to)) return onnx.cast(x, to);
  if (isInteger(from)) return castIntegers(onnx, x, from, to);
  return from.startsWith('float') ? castFloats(onnx, x, from, to) : onnx.cast(x, to);
});

function isInteger(dtype: DType): boolean {
  return /^u?int/.test(dtype);
}

const WIDE_INTEGERS: ReadonlySet<DType> = new Set<DType>(['int64', 'uint32', 'uint64']);

/** The larger or smaller of two tensors. onnxruntime 1.30 compares the lower halves of 64-bit integers only. */
export function extreme(
  node: GraphNode,
  onnx: OnnxGraph,
  op: 'Max' | 'Min',
  a: string,
  b: string,
  dtype = typeAttr(node, 'T', 'float32'),
): string {
  if (WIDE_INTEGERS.has(dtype)) {
    return choose(node, onnx, onnx.node(op === 'Max' ? 'Greater' : 'Less', [a, b]), a, b, dtype);
  }
  return onKernel(node, onnx, op, dtype, [a, b], (carried) => onnx.node(op, carried));
}

const extremes = (op: 'Max' | 'Min'): Converter =>
  elementwise(([a = '', b = ''], node, { onnx }) => extreme(node, onnx, op, a, b));

/** The lower bound wins over the upper one; a bound that is not a number does not clip. */
const clip: Converter = elementwise(([x = '', low = '', high = ''], node, conversion) => {
  const { onnx } = conversion;
  const bound = (index: number, given: string, end: number) => {
    const known = conversion.numbers(inputOf(node, index));
    if (!isFloat(node) || known?.every((value) => !Number.isNaN(value)) === true) return given;
    return onnx.node('Where', [onnx.node('IsNaN', [given]), conversion.scalar(node, end), given]);
  };
  const below = extreme(node, onnx, 'Min', x, bound(2, high, Infinity));
  return extreme(node, onnx, 'Max', below, bound(1, low, -Infinity));
});

const addN: Converter = elementwise((inputs, _, { onnx }) =>
  inputs.reduce((sum, input) => onnx.node('Add', [sum, input])),
);

const where: Converter = elementwise(([condition = '', chosen = '', other = ''], node, { onnx }) =>
  choose(node, onnx, condition, chosen, other),
);

/** Elements of one tensor where the condition holds, and of another where not; they only move. */
export function choose(
  node: GraphNode,
  onnx: OnnxGraph,
  condition: string,
  chosen: string,
  other: string,
  dtype = typeAttr(node, 'T', 'float32'),
): string {
  const build = ([yes = '', no = '']: readonly string[]) => onnx.node('Where', [condition, yes, no]);
  return onKernel(node, onnx, 'Where', dtype, [chosen, other], build, { modular: true });
}

/** The condition, which ONNX would broadcast: it is a scalar, one for every row, or of the shape of what it chooses. */
function fitRows(node: GraphNode, conversion: Conversion, condition: string, chosen: string): string {
  const { onnx } = conversion;
  const [own, rows] = [0, 1].map((index) => conversion.shape(inputOf(node, index)) ?? null);
  if (own && rows && own.every((size, axis) => size >= 0 && size === rows[axis])) return condition;
  const shape = onnx.node('Shape', [condition]);
  const begin = onnx.node('Slice', [
    onnx.node('Shape', [chosen]),
    onnx.integers([0]),
    onnx.node('Shape', [shape]),
  ]);
  return guarded(
    onnx,
    condition,
    allTrue(onnx, onnx.node('Equal', [shape, begin])),
    'the condition has another number of rows',
  );
}

/** A vector of conditions chooses whole rows here, so it gets as many axes of size 1 behind its own as the rows have. */
const selectRows: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [condition, chosen, other] = [0, 1, 2].map((index) => conversion.input(node, index));
  if (condition === undefined || chosen === undefined || other === undefined)
    throw unsupported(node, 'without inputs');
  const own = onnx.node('Shape', [fitRows(node, conversion, condition, chosen)]);
  const rank = onnx.node('Reshape', [onnx.node('Size', [own]), onnx.integers([1])]);
  const one = onnx.integers([1]);
  const ones = onnx.node('Expand', [one, onnx.node('Shape', [onnx.node('Shape', [chosen])])]);
  const behind = onnx.node('Slice', [ones, rank, onnx.integers([2 ** 31 - 1])]);
  const shape = onnx.node('Concat', [own, behind], { axis: 0 });
  const rows = onnx.node('Reshape', [condition, shape]);
  conversion.set(node, choose(node, onnx, rows, chosen, other));
};

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
  const rank = onnx.node('Equal', [onnx.node('Shape', [shape]), onnx.integers([declared.length])]);
  const axes = [...declared.keys()].filter((axis) => (declared[axis] ?? -1) >= 0);
  const given = onnx.node('Gather', [shape, onnx.integers(axes)]);
  const wanted = onnx.integers(axes.map((axis) => declared[axis] ?? 0));
  const same = onnx.node('Concat', [rank, onnx.node('Equal', [given, wanted])], { axis: 0 });
  elementwise(([x = '']) =>
    guarded(onnx, x, allTrue(onnx, same), `the shape is not [${declared.join(', ')}]`),
  )(node, conversion);
};

/** Operations of one element of each input, with broadcasting. */
export const ELEMENTWISE: Readonly<Record<string, Converter>> = {
  Add: as('Add'),
  AddV2: as('Add'),
  AddN: addN,
  Sub: as('Sub'),
  Mul: as('Mul'),
  RealDiv: as('Div'),
  Div: div,
  DivNoNan: divNoNan,
  FloorDiv: floorDiv,
  FloorMod: floorMod,
  Maximum: extremes('Max'),
  Minimum: extremes('Min'),
  Pow: pow,
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
  SelectV2: where,
  ClipByValue: clip,
  Relu: onKernels('Relu'),
  Relu6: relu6,
  LeakyRelu: leakyRelu,
  Elu: as('Elu'),
  Selu: selu,
  Sigmoid: as('Sigmoid'),
  Softplus: softplus,
  Softsign: as('Softsign'),
  Tanh: as('Tanh'),
  Sin: as('Sin'),
  Cos: as('Cos'),
  Exp: as('Exp'),
  Log: as('Log'),
  Log1p: log1p,
  Sqrt: as('Sqrt'),
  Rsqrt: rsqrt,
  Reciprocal: onKernels('Reciprocal'),
  Inv: onKernels('Reciprocal'),
  Square: square,
  Neg: onKernels('Neg'),
  Abs: as('Abs'),
  Sign: as('Sign'),
  Floor: as('Floor'),
  Ceil: as('Ceil'),
  Round: ofFloats('Round'),
  Rint: as('Round'),
  Erf: onKernels('Erf'),
  Erfc: erfc,
  IsNan: as('IsNaN'),
  IsInf: as('IsInf'),
  Cast: cast,
  Identity: elementwise(([x = '']) => x),
  StopGradient: elementwise(([x = '']) => x),
  PreventGradient: elementwise(([x = '']) => x),
  Snapshot: elementwise(([x = '']) => x),
  EnsureShape: ensureShape,
  CheckNumerics: elementwise(([x = ''], _, { onnx }) => {
    const odd = onnx.node('Or', [onnx.node('IsNaN', [x]), onnx.node('IsInf', [x])]);
    return guarded(onnx, x, allTrue(onnx, onnx.node('Not', [odd])), 'a value is infinite or not a number');
  }),
};
