import type { DType } from '../savedmodel/servable-model.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/**
 * Gives the tensor back, and makes the run fail unless the scalar condition holds. ONNX has no assertion; gathering with an index
 * that is out of range serves as one.
 *
 * @param otherwise what is wrong if the condition does not hold
 */
export function guarded(onnx: OnnxGraph, tensor: string, condition: string, otherwise: string): string {
  const failed = onnx.cast(onnx.op('Not', condition), 'int64');
  const zero = onnx.node('Gather', [[0], failed], {}, `${MARK}${otherwise}`);
  const shape = onnx.op('Add', onnx.shape(tensor), zero);
  return onnx.reshape(tensor, shape);
}

/**
 * Makes the run fail unless the scalar condition holds. The guard stands next to the graph: onnxruntime also runs nodes with unused
 * results, and the tensors themselves keep the layout that onnxruntime has chosen for them.
 *
 * @param otherwise what's wrong if the condition doesn't hold
 */
export function asserted(onnx: OnnxGraph, condition: string, otherwise: string): void {
  const place = onnx.op('Where', condition, 0, 1);
  onnx.node('Gather', [[0], place], {}, `${MARK}${otherwise.replaceAll("'", QUOTE)}`);
}

/** Stands for a quote in the name of a node, which onnxruntime puts between quotes. */
const QUOTE = '\u0001';

/** Prefix of the names of guard nodes; the message follows. */
const MARK = 'guard: ';

/** The message of the guard that an error of onnxruntime names: node, operation, and what is wrong. */
export function guardNamed(message: string): string | undefined {
  const at = message.indexOf(` ${MARK}`);
  const [, op, node] = /'(\w+)@([^'@]*)$/.exec(message.slice(0, Math.max(0, at))) ?? [];
  const [, words] = /^([^']*) \w+'/.exec(message.slice(at + 1 + MARK.length)) ?? [];
  return op === undefined || words === undefined
    ? undefined
    : `Node ${node} (${op}): ${words.replaceAll(QUOTE, "'")}`;
}

/** Whether every element of a boolean tensor is true; true for an empty tensor. */
export function allTrue(onnx: OnnxGraph, conditions: string): string {
  const failures = onnx.cast(onnx.op('Not', conditions), 'int64');
  const count = onnx.node('ReduceSum', [failures], { keepdims: 0 });
  return onnx.op('Equal', count, 0);
}

/** Gives the tensor back, and makes the run fail unless every element of a boolean tensor is true. */
export function guardedEach(onnx: OnnxGraph, tensor: string, conditions: string, otherwise: string): string {
  return guarded(onnx, tensor, allTrue(onnx, conditions), otherwise);
}

/** Gives the integers back, and makes the run fail if one of them is negative. */
export function nonNegative(onnx: OnnxGraph, integers: string, otherwise: string): string {
  return guardedEach(onnx, integers, onnx.op('GreaterOrEqual', integers, 0), otherwise);
}

/** Makes the run fail if an element is NaN: what TensorFlow makes of it depends on the order of elements. Integers pass. */
export function refuseNaN(onnx: OnnxGraph, dtype: DType, ...tensors: readonly string[]): void {
  if (!dtype.startsWith('float')) return;
  for (const tensor of tensors) {
    const areNumbers = allTrue(onnx, onnx.op('Not', onnx.op('IsNaN', tensor)));
    asserted(onnx, areNumbers, 'a value is not a number');
  }
}
