import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { shapeLike } from './known-tensors.ts';
import type { Family } from './operation.ts';

const SIGN = -(2 ** 31);

/**
 * The bits of floats as integers, which ONNX doesn't have: only to find the sign of a zero, as Keras does before it looks for the
 * largest element, `x == 0 and (bits & sign) < 0`.
 */
const bitcast: Converter = (node, conversion) => {
  if (
    typeAttr(node, 'T') !== 'float32' ||
    typeAttr(node, 'type') !== 'int32' ||
    !isSignOfZero(node, conversion)
  )
    throw unsupported(node);
  const { onnx } = conversion;
  const zero = onnx.scalar('float32', 0);
  const ones = onnx.op('Div', onnx.scalar('float32', 1), conversion.input(node));
  const isNegative = onnx.op('Less', ones, zero);
  conversion.set(node, onnx.op('Mul', onnx.cast(isNegative, 'int32'), onnx.scalar('int32', SIGN)));
};

function isSignOfZero(node: GraphNode, conversion: Conversion): boolean {
  const isZero = (test: GraphNode) =>
    test.inputs.some((ref) => {
      const { node: equal } = conversion.source(ref);
      const numbers = equal?.inputs.map((input) => conversion.numbers(input)?.[0]);
      const sides = equal?.inputs.map((input) => input.node) ?? [];
      return equal?.op === 'Equal' && numbers?.includes(0) === true && sides.includes(inputOf(node, 0).node);
    });
  const masks = conversion.usersOf(node);
  const tests = masks.flatMap((mask) => conversion.usersOf(mask));
  const ends = tests.flatMap((test) => conversion.usersOf(test));
  return (
    masks.every(
      ({ op, inputs }) => op === 'BitwiseAnd' && inputs.some((ref) => conversion.numbers(ref)?.[0] === SIGN),
    ) &&
    tests.every(
      ({ op, inputs }) =>
        op === 'Less' && inputs[1] !== undefined && conversion.numbers(inputs[1])?.[0] === 0,
    ) &&
    ends.length > 0 &&
    ends.every((end) => end.op === 'LogicalAnd' && isZero(end))
  );
}

/** Operations on how numbers are stored. */
export const SIGN_BITS: Family = {
  title: 'How numbers are stored',
  takes: 'float32 as int32',
  limits: [['Bitcast', 'only to ask for the sign of a zero, as Keras does before `argmax`']],
  operations: { Bitcast: [bitcast, shapeLike(0)] },
};
