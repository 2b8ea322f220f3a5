import type { MapLoop } from '../host/image-loop.ts';
import type { GraphNode, TensorRef } from '../savedmodel/graph-node.ts';
import { inferShapes } from './families.ts';
import { KnownGraph, type KnownScope } from './known-graph.ts';
import { ROW_RULES } from './row-rules.ts';
import { EVERY, isRows, isSizes, MIXED, rows, SAME, type Trace, traceOfOutput } from './row-trace.ts';

/** A graph that takes batches of rows as inputs, one row or more from each request. */
interface BatchedScope extends Omit<KnownScope, 'inferShapes'> {
  /** Names of the nodes that requests give. */
  readonly given: ReadonlySet<string>;
  /** Loops over rows that the host runs, by the nodes that hold their results. */
  readonly loops: ReadonlyMap<string, MapLoop>;
  /** Nodes that end the run of a batch: they must do so if and only if they would for one of its requests. */
  readonly assertions?: readonly TensorRef[];
}

/** Whether it's the same in every batch. Sizes are, except the first axes'. */
function isFixed(trace: Trace): boolean {
  return trace === SAME || (isSizes(trace) && !trace.sizes.some(isRows));
}

/**
 * Proves from the graph that every row of the results depends only on the same row of the inputs, and that an assertion about a
 * batch holds for each request in it, so that requests may run as one batch. Operations without a rule count as mixing the rows.
 *
 * @returns the operation that mixes the rows, as far as one can tell, or undefined if none does
 */
export function mixingOperation({
  given,
  loops,
  assertions = [],
  ...scope
}: BatchedScope): string | undefined {
  const known = new KnownGraph({ ...scope, inferShapes });
  const traces = new Map<string, readonly Trace[] | Trace>();
  const traceOf = ({ node, index }: TensorRef) => traceOfOutput(traces.get(node) ?? MIXED, index);
  const inputsOf = (node: GraphNode) => {
    const loop = loops.get(node.name);
    if (loop === undefined) return node.inputs;
    return [...loop.elements.map(({ stacked }) => stacked), ...loop.captured.map(({ outer }) => outer)];
  };
  const trace = (node: GraphNode): readonly Trace[] | Trace => {
    if (given.has(node.name)) {
      // A batch of a declared size is one request's.
      const shape = known.shape({ node: node.name, index: 0 });
      return shape !== null && (shape[0] ?? 0) < 0 ? rows(1) : MIXED;
    }
    const inputs = inputsOf(node).map(traceOf);
    if (inputs.every((one) => one === SAME)) return SAME;
    const loop = loops.get(node.name);
    if (loop !== undefined) {
      const isWhole = (one: Trace, place: number) =>
        place < loop.elements.length ? isRows(one) && one.count === 1 : one === SAME;
      return inputs.every(isWhole) ? rows(1) : MIXED;
    }
    if (inputs.includes(MIXED)) return MIXED;
    const found = ROW_RULES.get(node.op)?.({ node, inputs, known }) ?? MIXED;
    return found === MIXED && inputs.every(isFixed) ? SAME : found;
  };
  for (const node of scope.graph.values()) traces.set(node.name, trace(node));
  const mixed =
    scope.results.find((ref) => {
      const found = traceOf(ref);
      return !isRows(found) || found.count !== 1;
    }) ?? assertions.find((ref) => traceOf(ref) !== SAME && traceOf(ref) !== EVERY);
  if (mixed === undefined) return undefined;
  // Back to where the rows first meet.
  for (let ref = mixed; ;) {
    const node = scope.graph.get(ref.node);
    const before = node && inputsOf(node).find((input) => traceOf(input) === MIXED);
    if (node === undefined || before === undefined) return `${node?.op ?? 'output'} (node ${ref.node})`;
    ref = before;
  }
}
