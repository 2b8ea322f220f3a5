import { typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { combine } from './broadcast.ts';
import { hostInput, type HostOperation } from './host-operation.ts';
import { hostTensorOf, newHostTensor, type HostDType } from './host-tensor.ts';

const isFloat = (dtype: HostDType) => dtype === 'float32' || dtype === 'float64';

function binary(f: (a: number, b: number, dtype: HostDType) => number): HostOperation {
  return (inputs, node) => {
    const a = hostInput(inputs, 0, node);
    return combine(a, hostInput(inputs, 1, node), a.dtype, (left, right) => f(left, right, a.dtype));
  };
}

function comparison(f: (a: number, b: number) => boolean): HostOperation {
  return (inputs, node) =>
    combine(hostInput(inputs, 0, node), hostInput(inputs, 1, node), 'bool', (a, b) => Number(f(a, b)));
}

function unary(f: (value: number) => number): HostOperation {
  return (inputs, node) => {
    const { dtype, shape, data } = hostInput(inputs, 0, node);
    return hostTensorOf(dtype, shape, data.map(f));
  };
}

const cast: HostOperation = (inputs, node) => {
  const { shape, data, dtype } = hostInput(inputs, 0, node);
  const target = typeAttr(node, 'DstT');
  if (target === 'string' || target === 'float16') throw unsupported(node, `to ${target}`);
  const result = newHostTensor(target, shape);
  const truncate = isFloat(dtype) && !isFloat(target);
  for (let index = 0; index < data.length; index++) {
    const value = data[index] ?? 0;
    result.data[index] = target === 'bool' ? Number(value !== 0) : truncate ? Math.trunc(value) : value;
  }
  return result;
};

/** Rounds halves to the even neighbour, as TensorFlow does. */
function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

const add = binary((a, b) => a + b);

/** Element by element, with broadcasting. Overflow of 64-bit integers is not emulated. */
export const ARITHMETIC: Readonly<Record<string, HostOperation>> = {
  Add: add,
  AddV2: add,
  BiasAdd: add,
  Sub: binary((a, b) => a - b),
  Mul: binary((a, b) => a * b),
  RealDiv: binary((a, b) => a / b),
  Div: binary((a, b, dtype) => (isFloat(dtype) ? a / b : Math.trunc(a / b))),
  FloorDiv: binary((a, b) => Math.floor(a / b)),
  FloorMod: binary((a, b) => a - Math.floor(a / b) * b),
  Maximum: binary((a, b) => Math.max(a, b)),
  Minimum: binary((a, b) => Math.min(a, b)),
  Pow: binary((a, b) => a ** b),
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
  Log: unary(Math.log),
  Floor: unary(Math.floor),
  Ceil: unary(Math.ceil),
  Round: unary(roundHalfEven),
  Relu: unary((value) => Math.max(value, 0)),
  Cast: cast,
};
