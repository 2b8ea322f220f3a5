import { type GraphNode, inputOf, typeAttr } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import { choose } from './choosing.ts';
import type { Converter } from './conversion.ts';
import { elementwise, isFloat } from './elementwise.ts';
import { onKernel } from './kernels.ts';
import type { OnnxGraph } from './onnx-graph.ts';

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
  if (WIDE_INTEGERS.has(dtype))
    return choose(node, onnx, onnx.node(op === 'Max' ? 'Greater' : 'Less', [a, b]), a, b, dtype);
  return onKernel(node, onnx, op, dtype, [a, b], (carried) => onnx.node(op, carried));
}

/** `Maximum` and `Minimum`, which broadcast their two inputs. */
export const extremes = (op: 'Max' | 'Min'): Converter =>
  elementwise(([a = '', b = ''], node, { onnx }) => extreme(node, onnx, op, a, b));

/** The lower bound wins over the upper one; a bound that is not a number does not clip. */
export const clip: Converter = elementwise(([x = '', low = '', high = ''], node, conversion) => {
  const { onnx } = conversion;
  const bound = (index: number, given: string, end: number) => {
    const known = conversion.numbers(inputOf(node, index));
    if (!isFloat(node) || known?.every((value) => !Number.isNaN(value)) === true) return given;
    return onnx.op('Where', onnx.op('IsNaN', given), conversion.scalar(node, end), given);
  };
  const below = extreme(node, onnx, 'Min', x, bound(2, high, Infinity));
  return extreme(node, onnx, 'Max', below, bound(1, low, -Infinity));
});
