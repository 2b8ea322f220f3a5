import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { elementwise } from './elementwise.ts';
import { guardedEach } from './guard.ts';
import { onKernel } from './kernels.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** `SelectV2`: the condition and both sides are broadcast against each other, as in NumPy. */
export const where: Converter = elementwise(([condition = '', chosen = '', other = ''], node, { onnx }) =>
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
  const build = ([yes = '', no = '']: readonly string[]) => onnx.op('Where', condition, yes, no);
  return onKernel(node, onnx, 'Where', dtype, [chosen, other], build, { modular: true });
}

/** The condition, which ONNX would broadcast: it's a scalar, one value for every row, or has the shape of the chosen tensors. */
function fitRows(node: GraphNode, conversion: Conversion, condition: string, chosen: string): string {
  const { onnx } = conversion;
  const [own, rows] = [0, 1].map((index) => conversion.shape(inputOf(node, index)) ?? null);
  if (own && rows && own.every((size, axis) => size >= 0 && size === rows[axis])) return condition;
  const shape = onnx.shape(condition);
  const begin = onnx.op('Slice', onnx.shape(chosen), [0], onnx.shape(shape));
  const fits = onnx.op('Equal', shape, begin);
  return guardedEach(onnx, condition, fits, 'the condition has another number of rows');
}

/** A vector of conditions chooses whole rows here, so it gets as many axes of size 1 behind its own as the rows have. */
export const selectRows: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const [condition, chosen, other] = [0, 1, 2].map((index) => conversion.input(node, index));
  if (condition === undefined || chosen === undefined || other === undefined)
    throw unsupported(node, 'without inputs');
  const own = onnx.shape(fitRows(node, conversion, condition, chosen));
  const rank = onnx.op('Reshape', onnx.op('Size', own), [1]);
  const ones = onnx.op('Expand', [1], onnx.shape(onnx.shape(chosen)));
  const behind = onnx.op('Slice', ones, rank, [2 ** 31 - 1]);
  const shape = onnx.join(own, behind);
  const rows = onnx.op('Reshape', condition, shape);
  conversion.set(node, choose(node, onnx, rows, chosen, other));
};
