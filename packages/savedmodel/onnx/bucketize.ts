import { attribute, typeAttr } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';

/** How many boundaries each number has reached; NaN has reached all. */
export const bucketize: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const boundaries = attribute(node, 'boundaries').list?.floats ?? [];
  const isDouble = typeAttr(node, 'T') === 'float64';
  const given = conversion.input(node);
  const dtype = isDouble ? 'float64' : 'float32';
  const shape = [boundaries.length];
  const limits = isDouble
    ? onnx.constant({ dtype: 'float64', shape, data: Float64Array.from(boundaries) })
    : onnx.constant({ dtype: 'float32', shape, data: Float32Array.from(boundaries) });
  const flat = onnx.node('Reshape', [onnx.cast(given, dtype), onnx.integers([-1])]);
  // onnxruntime keeps the axis where there is nothing to sum up.
  const numbers = onnx.node(
    'Concat',
    [flat, onnx.node('Reshape', [onnx.scalar(dtype, 0), onnx.integers([1])])],
    { axis: 0 },
  );
  const column = onnx.node('Unsqueeze', [numbers, onnx.integers([-1])]);
  const reached = onnx.node('Not', [onnx.node('Less', [column, limits])]);
  const all = onnx.node('ReduceSum', [onnx.cast(reached, 'int64'), onnx.integers([-1])], { keepdims: 0 });
  const counts = onnx.node('Slice', [all, onnx.integers([0]), onnx.integers([-1])]);
  const counted = onnx.node('Reshape', [counts, onnx.node('Shape', [given])], { allowzero: 1 });
  conversion.set(node, onnx.cast(counted, 'int32'));
};
