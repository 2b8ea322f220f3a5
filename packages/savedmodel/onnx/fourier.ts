import { type GraphNode, inputOf, unsupported } from '../savedmodel/graph-node.ts';
import { partsOf, setParts } from './complex-parts.ts';
import type { Conversion, Converter } from './conversion.ts';
import { setByConverter } from './known-tensors.ts';
import type { Operation } from './operation.ts';

/** Transforms are products with a matrix of this many rows at most, 32 MB of float32 a part. */
const MAX_LENGTH = 4096;

/** cos or sin of 2π row · column / length, times a factor for the row; exact at the quarters of a turn. */
function matrix(
  conversion: Conversion,
  [rows, columns]: readonly [number, number],
  length: number,
  wave: 'cos' | 'sin',
  factor: (row: number) => number = () => 1,
): string {
  const turns = Float64Array.from({ length }, (_, step) => valueAt(wave, step, length));
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const scale = factor(row);
    for (let column = 0; column < columns; column++)
      data[row * columns + column] = scale * (turns[(row * column) % length] ?? 0);
  }
  return conversion.onnx.constant({ dtype: 'float32', shape: [rows, columns], data });
}

function valueAt(wave: 'cos' | 'sin', step: number, length: number): number {
  const quarter = (4 * step) / length;
  if (Number.isInteger(quarter)) return [1, 0, -1, 0][(quarter + (wave === 'cos' ? 0 : 3)) % 4] ?? 0;
  const angle = (2 * Math.PI * step) / length;
  return wave === 'cos' ? Math.cos(angle) : Math.sin(angle);
}

/** The transform's length, input 1. @throws {UnsupportedModel} if it is computed, or long */
function lengthOf(node: GraphNode, conversion: Conversion): number {
  return fitting(node, conversion.numbersInput(node, 1)[0] ?? 0);
}

function fitting(node: GraphNode, length: number): number {
  if (!(length > 0)) throw unsupported(node, 'of an open length');
  if (length > MAX_LENGTH) throw unsupported(node, `of ${length} values; ${MAX_LENGTH} are the most`);
  return length;
}

/** The first `count` elements of the last axis. If there are fewer, the product that follows fails the run. */
function first(node: GraphNode, conversion: Conversion, tensor: string, count: number): string {
  const { onnx } = conversion;
  if (conversion.shape(inputOf(node, 0))?.at(-1) === count) return tensor;
  return onnx.op('Slice', tensor, [0], [count], [-1]);
}

function shapeWith(node: GraphNode, conversion: Conversion, last: number) {
  const shape = conversion.shape(inputOf(node, 0));
  return shape && [...shape.slice(0, -1), last];
}

const rfft: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const length = lengthOf(node, conversion);
  const bins = Math.floor(length / 2) + 1;
  const values = first(node, conversion, conversion.input(node), length);
  const part = (wave: 'cos' | 'sin', sign: number) =>
    onnx.node('MatMul', [values, matrix(conversion, [length, bins], length, wave, () => sign)]);
  setParts(node, conversion, part('cos', 1), part('sin', -1), shapeWith(node, conversion, bins));
};

const irfft: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const length = lengthOf(node, conversion);
  const bins = Math.floor(length / 2) + 1;
  const [real, imaginary] = partsOf(node, conversion).map((part) => first(node, conversion, part, bins));
  // Each bin but the first, and the middle one of an even length, stands for its mirror image as well.
  const weight = (bin: number) => (bin === 0 || 2 * bin === length ? 1 : 2) / length;
  const cosines = matrix(conversion, [bins, length], length, 'cos', weight);
  const sines = matrix(conversion, [bins, length], length, 'sin', (bin) => -weight(bin));
  const sum = onnx.op(
    'Add',
    onnx.op('MatMul', real ?? '', cosines),
    onnx.op('MatMul', imaginary ?? '', sines),
  );
  conversion.set(node, sum);
  conversion.setShape(node, shapeWith(node, conversion, length));
};

const fft =
  (inverse: boolean): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const shape = conversion.shape(inputOf(node, 0));
    const length = fitting(node, shape?.at(-1) ?? -1);
    const [real, imaginary] = partsOf(node, conversion);
    const scale = () => (inverse ? 1 / length : 1);
    const cosines = matrix(conversion, [length, length], length, 'cos', scale);
    const sines = matrix(conversion, [length, length], length, 'sin', () => (inverse ? -1 : 1) * scale());
    const product = (a: string, b: string) => onnx.op('MatMul', a, b);
    setParts(
      node,
      conversion,
      onnx.op('Add', product(real, cosines), product(imaginary, sines)),
      onnx.op('Sub', product(imaginary, cosines), product(real, sines)),
      shape,
    );
  };

/** Fourier transforms along the last axis. */
export const FOURIER_TRANSFORMS: Readonly<Record<string, Operation>> = {
  RFFT: [rfft, setByConverter],
  IRFFT: [irfft, setByConverter],
  FFT: [fft(false), setByConverter],
  IFFT: [fft(true), setByConverter],
};
