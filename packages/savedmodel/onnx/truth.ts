import type { Shape } from '../savedmodel/tensor-proto.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/**
 * Whether a tensor counts as true where a loop or a branch asks: a scalar that is not 0, or, of any other rank, a tensor that has
 * elements at all. https://www.tensorflow.org/api_docs/python/tf/raw_ops/If
 */
export function truthOf(onnx: OnnxGraph, tensor: string, shape: Shape): string {
  if (shape?.length === 0) return onnx.cast(tensor, 'bool');
  const zero = onnx.integers([0], []);
  const hasElements = onnx.node('Greater', [onnx.node('Size', [tensor]), zero]);
  if (shape !== null) return hasElements;
  const isScalar = onnx.node('Equal', [onnx.node('Size', [onnx.node('Shape', [tensor])]), zero]);
  const ones = onnx.cast(onnx.cast(tensor, 'bool'), 'int64');
  const some = onnx.node('Greater', [onnx.node('ReduceSum', [ones], { keepdims: 0 }), zero]);
  return onnx.node('And', [hasElements, onnx.node('Or', [some, onnx.node('Not', [isScalar])])]);
}
