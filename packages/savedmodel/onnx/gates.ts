import { type GraphNode, inputOf, tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import type { KnownGraph } from './known-graph.ts';

const SCALES: ReadonlySet<string> = new Set(['Mul', 'RealDiv', 'Div', 'Add', 'AddV2']);
/** Nodes between a function and the product with its own argument, as in 0.5 * x * (1 + erf(x / 1.414)). */
const MAX_STEPS = 3;

/**
 * Whether a function only gates its own argument, as in silu and gelu: all that becomes of f(ax) is a product with x.
 * TensorFlow has kernels for the whole, and nothing depends on where f reaches 1.
 */
export function isGate(node: GraphNode, known: KnownGraph): boolean {
  const argument = sourceOf(inputOf(node, 0), known);
  const isOnlyIn = (current: GraphNode, steps: number): boolean => {
    const users = known.usersOf(current);
    if (users.length === 0 || known.isResult(current)) return false;
    return users.every((user) => {
      const others = user.inputs.filter(({ node: name }) => name !== current.name);
      const [other] = others;
      if (user.op === 'Identity') return isOnlyIn(user, steps);
      if (other === undefined || others.length > 1) return false;
      if (user.op === 'Mul' && sourceOf(other, known) === argument) return true;
      const isScaled = SCALES.has(user.op) && known.constant(other) !== undefined;
      return isScaled && steps < MAX_STEPS && isOnlyIn(user, steps + 1);
    });
  };
  return isOnlyIn(node, 0);
}

/** The tensor that is scaled by constants to make another. */
function sourceOf(ref: TensorRef, known: KnownGraph): string {
  let current = ref;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { node, ref: source } = known.source(current);
    current = source;
    const scaled = node?.inputs.find((input) => known.constant(input) === undefined);
    const isScale = node?.op === 'Mul' || node?.op === 'RealDiv' || node?.op === 'Div';
    const constants = node?.inputs.filter((input) => known.constant(input) !== undefined).length;
    if (!isScale || constants !== 1 || scaled === undefined) break;
    current = scaled;
  }
  return tensorName(known.source(current).ref);
}
