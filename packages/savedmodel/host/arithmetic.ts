import { type GraphNode, textAttr, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { combine } from './broadcast.ts';
import { type HostFunction, hostInput, type HostOperation } from './host-operation.ts';
import { type HostDType, hostTensorOf, newHostTensor } from './host-tensor.ts';

const isFloat = (dtype: HostDType) => dtype === 'float32' || dtype === 'float64';

/** An integer result. @throws {UnsupportedModel} for values outside doubles, which onnxruntime may still compute */
function whole(value: number, node: GraphNode): number {
  if (!Number.isSafeInteger(value)) throw unsupported(node, `result ${value} of integers on the host`);
  return value;
}

function binary(f: (a: number, b: number, dtype: HostDType) => number): HostFunction {
  return (inputs, node) => {
    const a = hostInput(inputs, 0, node);
    const b = hostInput(inputs, 1, node);
    const { dtype } = a;
    if (isFloat(dtype)) return combine(a, b, dtype, (left, right) => f(left, right, dtype));
    return combine(a, b, dtype, (left, right) => whole(f(left, right, dtype), node));
  };
}

function comparison(f: (a: number, b: number) => boolean): HostOperation {
  return (inputs, node) =>
    combine(hostInput(inputs, 0, node), hostInput(inputs, 1, node), 'bool', (a, b) => Number(f(a, b)));
}

function unary(f: (value: number) => number): HostOperation {
  return (inputs, node) => {
    const { dtype, shape, data } = hostInput(inputs, 0, node);
    if (isFloat(dtype)) return hostTensorOf(dtype, shape, data.map(f));
    const values = Array.from(data, (value) => whole(f(value), node));
    return hostTensorOf(dtype, shape, values);
  };
}

/** @throws {UnsupportedModel} for numbers that don't fit the integer type; the result would depend on the processor */
const cast: HostOperation = (inputs, node) => {
  const { shape, data, dtype } = hostInput(inputs, 0, node);
  const target = typeAttr(node, 'DstT');
  if (target === 'string' || target === 'float16') throw unsupported(node, `to ${target}`);
  const result = newHostTensor(target, shape);
  const truncate = isFloat(dtype) && !isFloat(target);
  for (let index = 0; index < data.length; index++) {
    const value = data[index] ?? 0;
    if (target === 'bool') result.data[index] = Number(value !== 0);
    else {
      result.data[index] = truncate ? Math.trunc(value) : value;
      const changed = (truncate || target === 'uint64') && result.data[index] !== Math.trunc(value);
      if (changed || (target === 'uint64' && value <= -1)) throw unsupported(node, `${value} as ${target}`);
    }
  }
  return result;
};

/** Rounds halves to the even neighbor, as TensorFlow does. */
function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** The remainder with the sign of the divisor. */
function floorMod(a: number, b: number): number {
  const remainder = a % b;
  return remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder;
}

/** Toward zero and exact, even when the double next to the quotient would be another integer. */
function quotient(a: number, b: number): number {
  return (a - (a % b)) / b;
}

/** A quotient just below an integer becomes that integer when it is rounded to single precision, before the floor is taken. */
function floorDiv(a: number, b: number, dtype: HostDType): number {
  if (!isFloat(dtype)) return quotient(a - floorMod(a, b), b);
  return Math.floor(dtype === 'float32' ? Math.fround(a / b) : a / b);
}

/**
 * C's power: 1 to any power is 1, and so is -1 to an infinite one; ECMAScript says NaN. To a negative power, only 1 and -1 stay
 * integers, and TensorFlow makes no exceptions for them.
 */
function power(a: number, b: number, dtype: HostDType): number {
  if (!isFloat(dtype)) return b < 0 ? NaN : a ** b;
  return a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b;
}

const add = binary((a, b) => a + b);

const addN: HostOperation = (inputs, node) =>
  inputs.slice(1).reduce((sum, input) => add([sum, input], node), hostInput(inputs, 0, node));

/** Element by element, with broadcasting. */
export const ARITHMETIC: Readonly<Record<string, HostOperation>> = {
  Add: add,
  AddV2: add,
  AddN: addN,
  BiasAdd: (inputs, node) => {
    if (textAttr(node, 'data_format') === 'NCHW') throw unsupported(node, 'channels first on the host');
    return add(inputs, node);
  },
  Sub: binary((a, b) => a - b),
  Mul: binary((a, b) => a * b),
  RealDiv: binary((a, b) => a / b),
  Div: binary((a, b, dtype) => (isFloat(dtype) ? a / b : quotient(a, b))),
  FloorDiv: binary(floorDiv),
  FloorMod: binary(floorMod),
  Maximum: binary((a, b) => Math.max(a, b)),
  Minimum: binary((a, b) => Math.min(a, b)),
  Pow: binary(power),
  SquaredDifference: binary((a, b) => (a - b) ** 2),
  Less: comparison((a, b) => a < b),
  LessEqual: comparison((a, b) => a <= b),
  Greater: comparison((a, b) => a > b),
  GreaterEqual: comparison((a, b) => a >= b),
  Equal: comparison((a, b) => a === b),
  NotEqual: comparison((a, b) => a !== b),
  LogicalAnd: comparison((a, b) => a !== 0 && b !== 0),
  LogicalOr: comparison((a, b) => a !== 0 || b !== 0),
  LogicalNot: unary((value) => Number(value === 0)),
  Neg: unary((value) => -value),
  Abs: unary(Math.abs),
  Sqrt: unary(Math.sqrt),
  Rsqrt: unary((value) => 1 / Math.sqrt(value)),
  Square: unary((value) => value * value),
  Reciprocal: unary((value) => 1 / value),
  Exp: unary(Math.exp),
  Expm1: unary(Math.expm1),
  Log: unary(Math.log),
  Log1p: unary(Math.log1p),
  Floor: unary(Math.floor),
  Ceil: unary(Math.ceil),
  Round: (inputs, node) => {
    if (!isFloat(hostInput(inputs, 0, node).dtype)) throw unsupported(node, 'of integers');
    return unary(roundHalfEven)(inputs, node);
  },
  Relu: unary((value) => Math.max(value, 0)),
  Cast: cast,
};
