import type { GraphNode } from '../savedmodel/graph-node.ts';
import { operations } from '../savedmodel/rewrites/rewrite.ts';
import type { Conversion } from './conversion.ts';
import { isFloat } from './elementwise.ts';

/** A zero keeps its sign through these, or the opposite one. */
const KEEPING = operations(
  'Identity StopGradient Reshape Squeeze ExpandDims Mul RealDiv Div Neg Sqrt Tanh Softsign Floor Ceil Round Rint Relu Relu6 Pow',
);
const QUOTIENTS = operations('RealDiv Div Xdivy Atan2');
const INVERSES = operations('Reciprocal Inv Rsqrt Pow');
const MAX_STEPS = 6;

/**
 * Whether something divides by the result of a Relu or Relu6, so that the infinities tell -0 from 0. TensorFlow's of -0 are 0, but for
 * the few numbers at a tensor's end that don't fill a processor's register; onnxruntime's are -0, and its maximum of -0 and 0 is 0.
 */
export function showsSignOfZero(start: GraphNode, conversion: Conversion): boolean {
  if (!isFloat(start)) return false;
  let nodes = [start];
  for (let steps = 0; steps < MAX_STEPS && nodes.length > 0; steps++) {
    const next = new Set<GraphNode>();
    for (const node of nodes)
      for (const user of conversion.usersOf(node)) {
        const isDivisor = QUOTIENTS.has(user.op) && user.inputs[1]?.node === node.name;
        if (isDivisor || INVERSES.has(user.op)) return true;
        if (KEEPING.has(user.op)) next.add(user);
      }
    nodes = [...next];
  }
  return false;
}
