import { boolAttr, type GraphNode, inputOf, typeAttr } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guarded, guardedEach, refuseNaN } from './guard.ts';
import { carrierOf, inOrderOfInt64, MAX_FLOAT, onKernel, outOfOrderOfInt64 } from './kernels.ts';
import { fromFront, OPEN, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';

const EMPTY = 'the tensor has no elements';

/** TensorFlow starts from the lowest finite value (ArgMin: the highest) at index 0: elements not beyond it, NaN among them, never win. */
export const argument =
  (op: 'ArgMax' | 'ArgMin'): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const [given = 0] = conversion.numbersInput(node, 1);
    const shape = conversion.shape(inputOf(node, 0));
    const [axis = 0] = shape === null ? [given] : conversion.normalAxes(node, 0, [given]);
    const dtype = typeAttr(node, 'T', 'float32');
    let input = conversion.input(node);
    if (shape === null && given < 0) {
      // With a negative axis onnxruntime returns empty tensors unchanged.
      const some = onnx.op('Greater', onnx.op('Size', input), 0);
      input = guarded(onnx, input, some, EMPTY);
    } else if ((shape?.[axis] ?? -1) <= 0)
      input = guarded(onnx, input, hasElements(onnx, input, axis), EMPTY);
    if (dtype.startsWith('float')) {
      const end = MAX_FLOAT.get(dtype) ?? Infinity;
      const last = onnx.scalar(dtype, op === 'ArgMax' ? -end : end);
      const counts = onnx.node(op === 'ArgMax' ? 'Greater' : 'Less', [input, last]);
      input = onnx.op('Where', counts, input, last);
    }
    const place = onnx.node(op, [inKernelOrder(node, onnx, op, dtype, input).carried], { axis, keepdims: 0 });
    const type = typeAttr(node, 'output_type', 'int64');
    conversion.set(node, type === 'int64' ? place : onnx.cast(place, type));
  };

/** TensorFlow refuses to search no elements for the largest one; onnxruntime returns an index. */
function hasElements(onnx: OnnxGraph, input: string, axis: number): string {
  const size = onnx.size(input, axis);
  return onnx.op('Greater', size, 0);
}

/** The tensor cast to an element type that has a kernel and keeps the order, and the function that casts back. */
function inKernelOrder(
  node: GraphNode,
  onnx: OnnxGraph,
  op: 'ArgMax' | 'ArgMin' | 'TopK',
  dtype: DType,
  tensor: string,
): { readonly carried: string; back(result: string): string } {
  if (dtype === 'uint64')
    return { carried: inOrderOfInt64(onnx, tensor), back: (result) => outOfOrderOfInt64(onnx, result) };
  const carrier = carrierOf(node, op, dtype);
  if (carrier === dtype) return { carried: tensor, back: (result) => result };
  return { carried: onnx.cast(tensor, carrier), back: (result) => onnx.cast(result, dtype) };
}

/** `TopKV2`: the k largest elements of each row, and their places in it. NaN fails the run, and so does k beyond the row. */
export const topK: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  const input = conversion.input(node);
  refuseNaN(onnx, dtype, input);
  const k = onnx.op('Reshape', conversion.int64Input(node, 1), [1]);
  const { some, count, cut } = rowsToSort(node, conversion, input, k);
  const { carried, back } = inKernelOrder(node, onnx, 'TopK', dtype, some);
  const sorted = boolAttr(node, 'sorted', true) ? 1 : 0;
  const [values = '', places = ''] = onnx.nodeOf(2, 'TopK', [carried, count], { sorted });
  conversion.set(node, cut(back(values)));
  conversion.set(node, cut(onnx.cast(places, typeAttr(node, 'index_type', 'int32'))), 1);
};

/** onnxruntime divides by the number of elements. If that can be 0, each axis is padded by one element and the result cut back. */
function rowsToSort(
  node: GraphNode,
  conversion: Conversion,
  tensor: string,
  k: string,
): { readonly some: string; readonly count: string; cut(result: string): string } {
  const { onnx } = conversion;
  if (conversion.shape(inputOf(node, 0))?.every((size) => size > 0) === true)
    return { some: tensor, count: k, cut: (result) => result };
  const shape = onnx.shape(tensor);
  const zeros = onnx.op('Expand', [0], onnx.shape(shape));
  const isEmpty = onnx.op('Equal', onnx.op('Size', tensor), 0);
  const more = onnx.op('Add', zeros, onnx.cast(isEmpty, 'int64'));
  const pads = onnx.join(zeros, more);
  const dtype = typeAttr(node, 'T', 'float32');
  const some = onKernel(node, onnx, 'Pad', dtype, [tensor], ([carried = '']) =>
    onnx.op('Pad', carried, pads),
  );
  const row = onnx.op('Gather', shape, [-1]);
  const count = guardedEach(onnx, k, onnx.op('LessOrEqual', k, row), 'a row has fewer than k elements');
  const rows = onnx.op('Slice', shape, [0], [-1]);
  const ends = onnx.join(rows, k);
  return { some, count, cut: (result) => onnx.op('Slice', result, zeros, ends) };
}

/** Shape without the axis that is searched. */
export const argumentShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const axis = known.number(1);
  return whole === null || axis === undefined ? null : whole.filter((_, at) => at !== fromFront(axis, whole));
};

/** Shape of the values and of their places. */
export const topKShapes: ShapeRule = (known) => {
  const whole = known.shape(0);
  const best = whole && [...whole.slice(0, -1), known.number(1) ?? OPEN];
  return [best, best];
};
