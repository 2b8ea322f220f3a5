import { isDoubleComplex, worksOnComplex } from '../savedmodel/complex-tensor.ts';
import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { partRef, partsOf, partwise, setParts } from './complex-parts.ts';
import type { Conversion, Converter } from './conversion.ts';
import { ELEMENTWISE } from './elementwise-operations.ts';
import { FOURIER_TRANSFORMS } from './fourier.ts';
import { setByConverter } from './known-tensors.ts';
import { type Family, type Operation, shaped } from './operation.ts';
import { PADDINGS } from './padding.ts';
import { PARTS } from './parts.ts';
import { REARRANGEMENTS } from './rearranging.ts';
import { REDUCTIONS } from './reduction.ts';
import { shapeOf, SHAPES } from './shape.ts';
import { SLICINGS } from './slicing.ts';
import { atan2 } from './special-functions.ts';

/** The larger part times the root of 1 and the square of the quotient: squares of small and large parts do not vanish or overflow. */
const magnitude: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [real, imaginary] = partsOf(node, conversion).map((part) => onnx.op('Abs', part));
  const number = (value: number) => onnx.scalar('float32', value);
  const larger = onnx.op('Max', real ?? '', imaginary ?? '');
  const isZero = onnx.op('Equal', larger, number(0));
  const divisor = onnx.op('Where', isZero, number(1), larger);
  const quotient = onnx.op('Div', onnx.op('Min', real ?? '', imaginary ?? ''), divisor);
  const root = onnx.op('Sqrt', onnx.op('Add', onnx.op('Mul', quotient, quotient), number(1)));
  conversion.set(node, onnx.op('Mul', larger, root));
  copyShape(node, conversion);
};

function copyShape(node: GraphNode, conversion: Conversion): void {
  conversion.setShape(node, conversion.shape(inputOf(node, 0)));
}

const part =
  (index: 0 | 1): Converter =>
  (node, conversion) => {
    conversion.set(node, partsOf(node, conversion)[index]);
    copyShape(node, conversion);
  };

const angle: Converter = (node, conversion) => {
  const ref = inputOf(node, 0);
  const inputs = [partRef(ref, 'imaginary', conversion), partRef(ref, 'real', conversion)];
  atan2({ ...node, inputs, attributes: new Map() }, conversion);
  copyShape(node, conversion);
};

const conjugate: Converter = (node, conversion) => {
  const [real, imaginary] = partsOf(node, conversion);
  setParts(node, conversion, real, conversion.onnx.op('Neg', imaginary), conversion.shape(inputOf(node, 0)));
};

/** Two real tensors, which may have to be broadcast. */
const complex: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [real, imaginary] = [conversion.input(node, 0), conversion.input(node, 1)];
  const shape = broadcastShape(node, conversion);
  const isSame = shape !== null && shape.every((size) => size >= 0);
  const alike = isSame && node.inputs.every((ref) => conversion.shape(ref)?.join() === shape.join());
  const spread = (one: string, other: string) => (alike ? one : onnx.op('Expand', one, onnx.shape(other)));
  setParts(node, conversion, spread(real, imaginary), spread(imaginary, real), shape);
};

function broadcastShape(node: GraphNode, conversion: Conversion) {
  const [left, right] = [conversion.shape(inputOf(node, 0)), conversion.shape(inputOf(node, 1))];
  if (left === null || right === null || left === undefined || right === undefined) return null;
  const [long, short] = left.length >= right.length ? [left, right] : [right, left];
  return long.map((size, axis) => {
    const other = short[axis - long.length + short.length] ?? 1;
    return size === 1 || (size < 0 && other > 1) ? other : size;
  });
}

/** (a + bi)(c + di) */
const product: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [[a, b], [c, d]] = [partsOf(node, conversion), partsOf(node, conversion, 1)];
  const times = (x: string, y: string) => onnx.op('Mul', x, y);
  setParts(
    node,
    conversion,
    onnx.op('Sub', times(a, c), times(b, d)),
    onnx.op('Add', times(a, d), times(b, c)),
  );
};

/** (a + bi)(c - di) / (c² + d²) */
const quotient: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [[a, b], [c, d]] = [partsOf(node, conversion), partsOf(node, conversion, 1)];
  const times = (x: string, y: string) => onnx.op('Mul', x, y);
  const square = onnx.op('Add', times(c, c), times(d, d));
  const real = onnx.op('Add', times(a, c), times(b, d));
  const imaginary = onnx.op('Sub', times(b, c), times(a, d));
  setParts(node, conversion, onnx.op('Div', real, square), onnx.op('Div', imaginary, square));
};

/** e^a (cos b + i sin b) */
const exponential: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [real, imaginary] = partsOf(node, conversion);
  const size = onnx.op('Exp', real);
  const turned = (op: string) => onnx.op('Mul', size, onnx.node(op, [imaginary]));
  setParts(node, conversion, turned('Cos'), turned('Sin'));
};

const cast: Converter = (node, conversion) => {
  const { onnx } = conversion;
  if (node.attributes.get('SrcT')?.type === node.attributes.get('DstT')?.type) {
    const [same, other] = partsOf(node, conversion);
    setParts(node, conversion, same, other);
  } else if (worksOnComplex({ ...node, attributes: new Map([['T', node.attributes.get('DstT') ?? {}]]) })) {
    const real = onnx.cast(conversion.input(node), 'float32');
    const zeros = onnx.op('Expand', onnx.scalar('float32', 0), onnx.shape(real));
    setParts(node, conversion, real, zeros);
  } else {
    conversion.set(node, onnx.cast(partsOf(node, conversion)[0], typeAttr(node, 'DstT')));
  }
};

/** Operations that only complex numbers have. */
export const COMPLEX_NUMBERS: Family = {
  title: 'Complex numbers, Fourier transforms',
  takes:
    'complex64 between one operation and the next; sums, differences, products, quotients, powers of e, and whatever ' +
    'moves elements, of complex numbers',
  limits: [
    ['', 'complex128 is refused, and complex numbers in a signature, a loop or a branch'],
    ['RFFT IRFFT FFT IFFT', 'of 4,096 values at most, a known number'],
  ],
  operations: {
    ...FOURIER_TRANSFORMS,
    ...shaped(setByConverter, {
      ComplexAbs: magnitude,
      Real: part(0),
      Imag: part(1),
      Angle: angle,
      Conj: conjugate,
      Complex: complex,
    }),
  },
};

const first = (place: number) => place === 0;

/** Operations of real numbers, and which of their inputs are complex where they work on complex numbers. */
const SHARED: Readonly<Record<string, (place: number, count: number) => boolean>> = {
  ...Object.fromEntries(
    (
      'BroadcastTo ExpandDims Identity Mean Neg Pad Reshape ReverseV2 Roll Slice Squeeze StopGradient StridedSlice Sum Tile ' +
      'Transpose ZerosLike'
    )
      .split(' ')
      .map((op) => [op, first]),
  ),
  Add: () => true,
  AddV2: () => true,
  Sub: () => true,
  Pack: () => true,
  ConcatV2: (place, count) => place < count - 1,
  SelectV2: (place) => place > 0,
};

const OF_REALS: Readonly<Record<string, Operation>> = {
  ...ELEMENTWISE.operations,
  ...PADDINGS.operations,
  ...PARTS.operations,
  ...REARRANGEMENTS.operations,
  ...REDUCTIONS.operations,
  ...SHAPES.operations,
  ...SLICINGS.operations,
};

/** The converter of a node that works on complex numbers; undefined for all other nodes. @throws {UnsupportedModel} */
export function complexConverter(node: GraphNode): Converter | undefined {
  const own = COMPLEX_NUMBERS.operations[node.op];
  if (own === undefined && !worksOnComplex(node)) return undefined;
  if (isDoubleComplex(node)) throw unsupported(node, 'of complex128');
  if (own !== undefined) return own[0];
  if (node.op === 'Mul') return product;
  if (node.op === 'RealDiv') return quotient;
  if (node.op === 'Exp') return exponential;
  if (node.op === 'Cast') return cast;
  if (node.op === 'Shape') {
    const real = node.inputs.slice(0, 1);
    return (shape, conversion) =>
      shapeOf({ ...shape, inputs: real.map((ref) => partRef(ref, 'real', conversion)) }, conversion);
  }
  const [shared, real] = [SHARED[node.op], OF_REALS[node.op]];
  if (shared === undefined || real === undefined) throw unsupported(node, 'of complex64');
  return partwise(real[0], shared);
}
