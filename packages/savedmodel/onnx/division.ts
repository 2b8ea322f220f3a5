import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion } from './conversion.ts';
import { elementwise, isFloat } from './elementwise.ts';

const isUnsigned = (node: GraphNode) => typeAttr(node, 'T', 'float32').startsWith('uint');

/** Whether the remainder of a division toward zero has another sign than the divisor. */
function isOnOtherSide(conversion: Conversion, node: GraphNode, remainder: string, divisor: string): string {
  const { onnx } = conversion;
  const zero = conversion.scalar(node, 0);
  const negative = (value: string) => onnx.op('Less', value, zero);
  const exact = onnx.op('Equal', remainder, zero);
  return onnx.op('And', onnx.op('Not', exact), onnx.op('Xor', negative(remainder), negative(divisor)));
}

/** Nothing but a tensor without elements can be divided by a constant zero. @throws {UnsupportedModel} */
function refuseZero(node: GraphNode, conversion: Conversion): void {
  if (!isFloat(node) && conversion.numbers(inputOf(node, 1))?.includes(0) === true)
    throw unsupported(node, 'division by zero');
}

/** Integers are divided toward zero, as by ONNX. @throws {UnsupportedModel} for integers by a constant that has a zero */
export const div = elementwise((inputs, node, conversion) => {
  refuseZero(node, conversion);
  return conversion.onnx.node('Div', inputs);
});

/** ONNX divides integers toward zero, TensorFlow toward minus infinity. */
export const floorDiv = elementwise(([a = '', b = ''], node, conversion) => {
  refuseZero(node, conversion);
  const { onnx } = conversion;
  const quotient = onnx.op('Div', a, b);
  if (isFloat(node)) return onnx.op('Floor', quotient);
  if (isUnsigned(node)) return quotient;
  // Not onnxruntime's own remainder toward zero, which it computes in doubles.
  const remainder = onnx.op('Sub', a, onnx.op('Mul', quotient, b));
  const below = isOnOtherSide(conversion, node, remainder, b);
  return onnx.op('Sub', quotient, onnx.cast(below, typeAttr(node, 'T')));
});

/** TensorFlow's remainder has the sign of the divisor, as ONNX's has with `fmod` 0, but that is for integers only. */
export const floorMod = elementwise(([a = '', b = ''], node, conversion) => {
  refuseZero(node, conversion);
  const { onnx } = conversion;
  if (!isFloat(node)) return onnx.op('Mod', a, b);
  const remainder = onnx.node('Mod', [a, b], { fmod: 1 });
  const other = isOnOtherSide(conversion, node, remainder, b);
  return onnx.op('Where', other, onnx.op('Add', remainder, b), remainder);
});

/** TensorFlow's 0 / 0 is 0 here. */
export const divNoNan = elementwise(([a = '', b = ''], node, conversion) => {
  const { onnx } = conversion;
  const zero = conversion.scalar(node, 0);
  return onnx.op('Where', onnx.op('Equal', b, zero), zero, onnx.op('Div', a, b));
});
