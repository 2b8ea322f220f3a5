import {
  boolAttr,
  type GraphNode,
  inputOf,
  textAttr,
  typeAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import { choose } from './choosing.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guarded } from './guard.ts';
import { onKernel } from './kernels.ts';
import { broadcast, OPEN, type ShapeRule } from './known-tensors.ts';
import { alike, type Family } from './operation.ts';

/** The tensor with its last two axes exchanged, which may be taken as matrices one behind the other. */
function exchanged(node: GraphNode, index: number, conversion: Conversion): string {
  const { onnx } = conversion;
  const matrices = conversion.input(node, index);
  const rank = conversion.shape(inputOf(node, index))?.length;
  if (rank !== undefined) {
    const axes = Array.from({ length: rank }, (_, axis) => axis);
    return onnx.transpose(matrices, [...axes.slice(0, -2), rank - 1, rank - 2]);
  }
  const shape = onnx.shape(matrices);
  const part = (from: number, to: number) => onnx.op('Slice', shape, [from], [to]);
  const [batch, rows, columns] = [part(0, -2), part(-2, -1), part(-1, 2 ** 31 - 1)];
  const count = onnx.node('ReduceProd', [batch], { keepdims: 1 });
  const join = (parts: readonly string[]) => onnx.join(...parts);
  const listed = onnx.reshape(matrices, join([count, rows, columns]));
  const turned = onnx.transpose(listed, [0, 2, 1]);
  return onnx.reshape(turned, join([batch, columns, rows]));
}

/**
 * Element type of a product. Products of 8 bits are summed in 32, as quantized layers of Keras ask for.
 *
 * @throws {UnsupportedModel} for other products of mixed types
 */
function productType(node: GraphNode): DType {
  const types = ['Ta', 'Tb', 'Tout'].flatMap((name) => node.attributes.get(name)?.type ?? []);
  if (types.length === 0) return typeAttr(node, 'T', 'float32');
  const [left, right, result] = [typeAttr(node, 'Ta'), typeAttr(node, 'Tb'), typeAttr(node, 'Tout')];
  const isOfBytes = BYTES.has(left) && BYTES.has(right) && result === 'int32';
  if (new Set(types).size > 1 && !isOfBytes) throw unsupported(node, `${left} by ${right} as ${result}`);
  return result;
}

const BYTES: ReadonlySet<DType> = new Set(['int8', 'uint8']);

/** Whether the matrices of the left side have columns, as far as the graph says so. */
function hasColumns(node: GraphNode, left: string, right: string, conversion: Conversion): boolean {
  const columns = conversion.shape(inputOf(node, 0))?.at(boolAttr(node, left) ? -2 : -1) ?? -1;
  const rows = conversion.shape(inputOf(node, 1))?.at(boolAttr(node, right) ? -1 : -2) ?? -1;
  return columns > 0 || rows > 0;
}

const product =
  (left: string, right: string): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const side = (index: number, flag: string) =>
      boolAttr(node, flag) ? exchanged(node, index, conversion) : conversion.input(node, index);
    const dtype = productType(node);
    const isMixed = dtype === 'int32' && BYTES.has(typeAttr(node, 'Ta', dtype));
    const sides = [side(0, left), side(1, right)];
    const [matrices = '', others = ''] = isMixed ? sides.map((one) => onnx.cast(one, dtype)) : sides;
    const result = onKernel(node, onnx, 'MatMul', dtype, [matrices, others], (carried) =>
      onnx.node('MatMul', carried),
    );
    if (hasColumns(node, left, right, conversion)) {
      conversion.set(node, result);
      return;
    }
    // onnxruntime leaves the product of matrices without columns and rows as it finds it in memory.
    const columns = onnx.size(matrices, -1);
    const some = onnx.op('Greater', columns, 0);
    // Nor does it broadcast batches of them.
    if (node.op !== 'MatMul')
      conversion.set(node, guarded(onnx, result, some, 'the matrices have no columns'));
    else conversion.set(node, choose(node, onnx, some, result, onnx.scalar(dtype, 0), dtype));
  };

const matMul = product('transpose_a', 'transpose_b');
const batchMatMul = product('adj_x', 'adj_y');

const einsum: Converter = (node, conversion) => {
  const equation = textAttr(node, 'equation');
  if (!/^[a-zA-Z.]+(,[a-zA-Z.]+)*->[a-zA-Z.]*$/.test(equation)) throw unsupported(node, equation);
  const inputs = node.inputs.map((ref) => conversion.value(ref));
  const { onnx } = conversion;
  const build = (carried: readonly string[]) => onnx.node('Einsum', carried, { equation });
  conversion.set(node, onKernel(node, onnx, 'Einsum', typeAttr(node, 'T', 'float32'), inputs, build));
};

const productShape: ShapeRule = (known) => {
  const [left, right] = [known.shape(0), known.shape(1)];
  if (left === null || right === null || left.length < 2 || right.length < 2) return null;
  const rows = boolAttr(known.node, 'transpose_a') || boolAttr(known.node, 'adj_x') ? -1 : -2;
  const columns = boolAttr(known.node, 'transpose_b') || boolAttr(known.node, 'adj_y') ? -2 : -1;
  const batch = broadcast([left.slice(0, -2), right.slice(0, -2)]);
  return batch && [...batch, left.at(rows) ?? OPEN, right.at(columns) ?? OPEN];
};

const einsumShape: ShapeRule = (known) => {
  const [left = '', right = ''] = textAttr(known.node, 'equation').split('->');
  if (left.includes('.')) return null;
  const sizes = new Map<string, number>();
  left.split(',').forEach((term, index) => {
    const shape = known.shape(index);
    [...term].forEach((letter, axis) => {
      if ((sizes.get(letter) ?? OPEN) < 0) sizes.set(letter, shape?.[axis] ?? OPEN);
    });
  });
  return [...right].map((letter) => sizes.get(letter) ?? OPEN);
};

/** Products of matrices, and what `Einsum` sums by letters. */
export const MATRICES: Family = {
  title: 'Matrices',
  takes: 'float32, float64, int32, int64',
  limits: [
    ['BatchMatMul BatchMatMulV2 BatchMatMulV3', 'matrices without columns end the run'],
    ['Einsum', 'letters and an ellipsis'],
  ],
  operations: {
    MatMul: [matMul, productShape],
    ...alike('BatchMatMul BatchMatMulV2 BatchMatMulV3', batchMatMul, productShape),
    Einsum: [einsum, einsumShape],
  },
};
