import type { OnnxGraph } from './onnx-graph.ts';

/**
 * The tensor itself, for whose sake the run ends with an error unless the condition (a scalar) holds: ONNX has no assertion,
 * but an index out of range is one.
 *
 * @param otherwise what is wrong if the condition does not hold
 */
export function guarded(onnx: OnnxGraph, tensor: string, condition: string, otherwise: string): string {
  const failed = onnx.cast(onnx.node('Not', [condition]), 'int64');
  const zero = onnx.node('Gather', [onnx.integers([0]), failed], {}, `${MARK}${otherwise}`);
  const shape = onnx.node('Add', [onnx.node('Shape', [tensor]), zero]);
  return onnx.node('Reshape', [tensor, shape], { allowzero: 1 });
}

/**
 * Ends the run unless the condition (a scalar) holds, whatever else depends on it: onnxruntime runs nodes whose results nothing
 * uses. Nothing is put into the way of the tensors themselves, which keep the layout that onnxruntime has chosen for them.
 *
 * @param otherwise what is wrong if the condition does not hold
 */
export function asserted(onnx: OnnxGraph, condition: string, otherwise: string): void {
  const place = onnx.node('Where', [condition, onnx.integers([0], []), onnx.integers([1], [])]);
  onnx.node('Gather', [onnx.integers([0]), place], {}, `${MARK}${otherwise}`);
}

/** What stands before a guard's words in the name of its node. */
const MARK = 'guard: ';

/** The words of the guard that a message of onnxruntime's is about: node, operation, and what is wrong. */
export function guardNamed(message: string): string | undefined {
  const [, op, node, words] = new RegExp(`'(\\w+)@(.*?) ${MARK}([^']*) \\w+'`).exec(message) ?? [];
  return words === undefined ? undefined : `Node ${node} (${op}): ${words}`;
}

/** Whether every element of a tensor of booleans is true; of none, too. */
export function allTrue(onnx: OnnxGraph, conditions: string): string {
  const failures = onnx.cast(onnx.node('Not', [conditions]), 'int64');
  const count = onnx.node('ReduceSum', [failures], { keepdims: 0 });
  return onnx.node('Equal', [count, onnx.integers([0], [])]);
}
