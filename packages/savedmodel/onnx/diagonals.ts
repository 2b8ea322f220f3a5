import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { choose } from './choosing.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guardedEach } from './guard.ts';
import { setByConverter } from './known-tensors.ts';
import { alike, type Family } from './operation.ts';

/** Sizes of the last two axes of a tensor, int64 of one element each. */
function sidesOf(node: GraphNode, conversion: Conversion): readonly [string, string] {
  const { onnx } = conversion;
  const shape = conversion.shapeOf(node);
  const side = (from: number, to: number) => onnx.op('Slice', shape, [from], [to]);
  return [side(-2, -1), side(-1, 2 ** 31 - 1)];
}

/** 0, 1, 2, … up to a size, as a column or a row of a matrix. */
function places(conversion: Conversion, size: string, axis: 0 | 1): string {
  const { onnx } = conversion;
  const scalar = onnx.op('Reshape', size, []);
  const range = onnx.op('Range', 0, scalar, 1);
  return onnx.op('Unsqueeze', range, [1 - axis]);
}

/** Only the main diagonal is converted. */
function refuseOthers(node: GraphNode, conversion: Conversion, index: number): void {
  const ref = node.inputs[index];
  if (ref === undefined) return;
  const diagonals = conversion.numbers(ref);
  if (diagonals === null || diagonals.some((diagonal) => diagonal !== 0))
    throw unsupported(node, 'of other diagonals than the main one');
}

function onDiagonal(conversion: Conversion, rows: string, columns: string): string {
  return conversion.onnx.op('Equal', places(conversion, rows, 0), places(conversion, columns, 1));
}

/** A vector becomes a matrix that is square. */
const diagonal: Converter = (node, conversion) => {
  const { onnx } = conversion;
  refuseOthers(node, conversion, 1);
  const open = [2, 3].every((index) => {
    const ref = node.inputs[index];
    return ref === undefined || conversion.numbers(ref)?.[0] === -1;
  });
  if (!open) throw unsupported(node, 'of given numbers of rows or columns');
  const padding = node.inputs[4];
  const value = conversion.input(node);
  const shape = conversion.shapeOf(node);
  const size = onnx.op('Slice', shape, [-1], [2 ** 31 - 1]);
  const columns = onnx.op('Unsqueeze', value, [-1]);
  const zero = padding === undefined ? conversion.scalar(node, 0) : conversion.value(padding);
  const matrix = choose(node, onnx, onDiagonal(conversion, size, size), columns, zero);
  conversion.set(node, matrix);
  const own = conversion.shape(inputOf(node, 0));
  conversion.setShape(node, own && [...own, own.at(-1) ?? -1]);
};

const setDiagonal: Converter = (node, conversion) => {
  const { onnx } = conversion;
  refuseOthers(node, conversion, 2);
  const [rows, columns] = sidesOf(node, conversion);
  const shape = conversion.shapeOf(node, 1);
  const given = onnx.op('Slice', shape, [-1], [2 ** 31 - 1]);
  const rank = conversion.shape(inputOf(node, 1))?.length;
  if (rank === undefined) throw unsupported(node, 'of an open rank');
  // One value a row; a matrix that is higher than wide has rows without one.
  const before = onnx.integers(new Array<number>(2 * rank - 1).fill(0));
  const pads = onnx.join(before, onnx.op('Sub', rows, given));
  const dtype = typeAttr(node, 'T', 'float32');
  if (dtype === 'bool' || /^u?int16$/.test(dtype)) throw unsupported(node, dtype);
  const padded = onnx.op('Pad', conversion.input(node, 1), pads);
  const values = onnx.op('Unsqueeze', padded, [-1]);
  const matrix = choose(node, onnx, onDiagonal(conversion, rows, columns), values, conversion.input(node));
  conversion.set(node, matrix);
  conversion.setShape(node, conversion.shape(inputOf(node, 0)));
};

const partOfDiagonal: Converter = (node, conversion) => {
  const { onnx } = conversion;
  refuseOthers(node, conversion, 1);
  const [rows, columns] = sidesOf(node, conversion);
  const shape = conversion.shape(inputOf(node, 0));
  if (shape === null) throw unsupported(node, 'of an open rank');
  const batch = onnx.op('Slice', conversion.shapeOf(node), [0], [shape.length - 2]);
  const flatShape = onnx.join(batch, onnx.op('Mul', rows, columns));
  const flat = onnx.reshape(conversion.input(node), flatShape);
  const count = onnx.op('Min', rows, columns);
  const steps = onnx.reshape(places(conversion, count, 0), count);
  const indices = onnx.op('Mul', steps, onnx.op('Add', columns, [1]));
  conversion.set(node, onnx.node('Gather', [flat, indices], { axis: shape.length - 2 }));
  const [height = -1, width = -1] = shape.slice(-2);
  const least = height < 0 || width < 0 ? -1 : Math.min(height, width);
  conversion.setShape(node, [...shape.slice(0, -2), least]);
};

/** Elements at most the given number of diagonals below and above the main one; a negative number is no limit. */
const band: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [rows, columns] = sidesOf(node, conversion);
  const below = onnx.op('Sub', places(conversion, rows, 0), places(conversion, columns, 1));
  const within = (distance: string, index: number, size: string) => {
    const given = conversion.int64Input(node, index);
    const fits = onnx.op('LessOrEqual', given, size);
    const limit = guardedEach(onnx, given, fits, `input ${index} exceeds the matrix`);
    return onnx.op('Or', onnx.op('Less', limit, 0), onnx.op('LessOrEqual', distance, limit));
  };
  const isKept = onnx.op('And', within(below, 1, rows), within(onnx.op('Neg', below), 2, columns));
  const kept = choose(node, onnx, isKept, conversion.input(node), conversion.scalar(node, 0));
  conversion.set(node, kept);
  conversion.setShape(node, conversion.shape(inputOf(node, 0)));
};

/** Diagonals of matrices. */
export const DIAGONALS: Family = {
  title: 'Diagonals',
  takes: 'all numbers; the main diagonal',
  limits: [
    [
      'MatrixDiagV2 MatrixDiagV3 MatrixSetDiagV2 MatrixSetDiagV3 MatrixDiagPartV2 MatrixDiagPartV3',
      'other diagonals than the main one are refused',
    ],
    ['MatrixDiagV2 MatrixDiagV3', 'a given number of rows or columns is refused'],
    ['MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3', 'booleans and integers of 16 bits are refused'],
    ['MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3', 'the rank of the diagonal must be known'],
    ['MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3', 'the rank must be known'],
  ],
  operations: {
    ...alike('MatrixDiag MatrixDiagV2 MatrixDiagV3', diagonal, setByConverter),
    ...alike('MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3', setDiagonal, setByConverter),
    ...alike('MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3', partOfDiagonal, setByConverter),
    MatrixBandPart: [band, setByConverter],
  },
};
