import type { FrozenGraph } from './frozen-graph.ts';
import { ARITHMETIC_REWRITES } from './rewrites/arithmetic.ts';
import { CONSTANT_REWRITES } from './rewrites/constants.ts';
import { DraftGraph, type OptimizedScope } from './rewrites/draft-graph.ts';
import type { Rewrite } from './rewrites/rewrite.ts';
import { UnsupportedModel } from './servable-model.ts';

/** TensorFlow's optimizer goes over a graph so often. */
const ROUNDS = 2;
/** Each pass over the constants removes a node or moves a constant down, so the passes stop; no real model needs this many. */
const MAX_PASSES = 200;

/** A rewrite and the node that it changed. */
export interface AppliedRewrite {
  readonly rule: string;
  readonly node: string;
}

/** The graph that TensorFlow runs, as far as it gives other answers than the one in the file. */
export interface OptimizedGraph {
  readonly graph: FrozenGraph;
  readonly rewrites: readonly AppliedRewrite[];
  /** How many tensors are wanted of it. */
  readonly wanted: number;
}

/**
 * Does to a graph what TensorFlow's optimizer (grappler) does before a session runs it, if that changes answers. Facts of
 * TensorFlow 2.21: tensorflow/core/grappler/optimizers, and the graphs that a session reports.
 *
 * @throws {UnsupportedModel} if constants keep moving
 */
export function optimizeGraph(graph: FrozenGraph, scope: OptimizedScope): OptimizedGraph {
  const draft = new DraftGraph(graph, scope);
  const rewrites: AppliedRewrite[] = [];
  for (let round = 0, before = -1; round < ROUNDS && draft.changes !== before; round++) {
    before = draft.changes;
    draft.merge();
    foldConstants(draft, rewrites);
    rearrange(draft, rewrites);
  }
  return { graph: draft.finished(), rewrites, wanted: scope.results.length };
}

const byOperation = <R extends Rewrite>(table: readonly R[]): ReadonlyMap<string, readonly R[]> => {
  const names = new Set(table.flatMap(({ operations }) => [...operations]));
  return new Map([...names].map((name) => [name, table.filter(({ operations }) => operations.has(name))]));
};
const OF_CONSTANTS = byOperation(CONSTANT_REWRITES);
const OF_ARITHMETIC = byOperation(ARITHMETIC_REWRITES);

function foldConstants(graph: DraftGraph, rewrites: AppliedRewrite[]): void {
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = graph.changes;
    graph.fold();
    for (const node of graph.inSequence()) {
      if (node.isCompiled) continue;
      const { name } = OF_CONSTANTS.get(node.op)?.find(({ apply }) => apply(node, graph) !== undefined) ?? {};
      if (name !== undefined) rewrites.push({ rule: name, node: node.origin });
    }
    graph.settle();
    if (graph.changes === before) return;
  }
  throw new UnsupportedModel([`constants of more than ${MAX_PASSES} operations in a row`]);
}

/** Takes the nodes from the outputs to the inputs; a node that was changed is looked at again. */
function rearrange(graph: DraftGraph, rewrites: AppliedRewrite[]): void {
  const queue = graph.sorted();
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (!graph.has(node) || node.isCompiled) continue;
    const { origin } = node;
    for (const { name: rule, apply, replaces = false } of OF_ARITHMETIC.get(node.op) ?? []) {
      const again = apply(node, graph);
      if (again === undefined) continue;
      rewrites.push({ rule, node: origin });
      const users = replaces ? node.users.slice() : [];
      graph.settle();
      queue.push(...users, ...again, node);
      break;
    }
  }
}
