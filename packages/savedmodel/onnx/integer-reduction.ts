import type { OnnxGraph } from './onnx-graph.ts';
import type { Reduction } from './reduced-axes.ts';

/** An int64 tensor as its halves of 32 bits, the lower one unsigned. */
function halvesOf(onnx: OnnxGraph, integers: string): { readonly high: string; readonly low: string } {
  const low = onnx.op('Mod', integers, HALF);
  return { high: onnx.op('Div', onnx.op('Sub', integers, low), HALF), low };
}

const HALF = 2 ** 32;

function joined(onnx: OnnxGraph, high: string, low: string): string {
  return onnx.op('Add', onnx.op('Mul', high, HALF), low);
}

/** Sums of halves are exact in doubles; together they wrap around as TensorFlow's sum does. */
export function sumOfIntegers(
  onnx: OnnxGraph,
  integers: string,
  reduceTo: (halves: string) => string,
): string {
  const { high, low } = halvesOf(onnx, integers);
  return joined(onnx, reduceTo(high), reduceTo(low));
}

/**
 * onnxruntime 1.30 compares int64 values wrongly if both 32-bit halves differ, so the upper halves are compared first, then
 * the lower ones.
 */
export function largestOfIntegers(
  onnx: OnnxGraph,
  integers: string,
  op: 'ReduceMax' | 'ReduceMin',
  { axes, attributes }: Reduction,
): string {
  const { high, low } = halvesOf(onnx, integers);
  const reduceTo = (tensor: string, keepdims: number) =>
    onnx.node(op, [onnx.cast(tensor, 'float64'), axes], { ...attributes, keepdims });
  // Over no elements the result is infinite; clipping both halves turns it into the smallest or largest integer.
  const within = (halves: string, smallest: number) => {
    const bounds = [smallest, smallest + HALF - 1].map((bound) => onnx.scalar('float64', bound));
    return onnx.cast(onnx.op('Clip', halves, ...bounds), 'int64');
  };
  const best = within(reduceTo(high, 1), -HALF / 2);
  const last = onnx.integers([op === 'ReduceMax' ? -1 : HALF], []);
  const others = onnx.op('Where', onnx.op('Equal', high, best), low, last);
  const lower = within(reduceTo(others, attributes.keepdims ?? 0), 0);
  // Not a Squeeze, which takes no axes for all of size 1.
  const upper = onnx.reshape(best, onnx.shape(lower));
  return joined(onnx, upper, lower);
}
