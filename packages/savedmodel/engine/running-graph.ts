import { inferShapes } from '../onnx/families.ts';
import { KnownGraph } from '../onnx/known-graph.ts';
import { assertionsAmong } from '../savedmodel/assertions.ts';
import type { FlatGraph, Library } from '../savedmodel/flatten-functions.ts';
import { freezeGraph } from '../savedmodel/frozen-graph.ts';
import { type GraphNode, parseTensorRef } from '../savedmodel/graph-node.ts';
import type { ReadTable } from '../savedmodel/initialized-tables.ts';
import { type OptimizedGraph, optimizeGraph } from '../savedmodel/optimized-graph.ts';
import type { Variables } from '../savedmodel/restored-variables.ts';
import type { SignatureDef, TensorInfo } from '../savedmodel/saved-model-proto.ts';
import type { Signature, TensorSpec } from '../savedmodel/servable-model.ts';

/** A graph, with the variables and functions that its nodes refer to. */
export interface GraphView {
  readonly graph: FlatGraph;
  readonly library: Library;
  /** Names of the nodes that call functions; the functions' bodies replaced them. */
  readonly calls: ReadonlySet<string>;
  readonly variables: Variables;
  readonly readTable: ReadTable;
}

/** A signature that is to be converted. */
export interface Asked {
  readonly signature: Signature;
  readonly definition: SignatureDef;
}

/** Tensors of a signature under the names that they have outside. */
export function portsOf({ signature, definition }: Asked, { graph }: GraphView) {
  const port = (infos: ReadonlyMap<string, TensorInfo>) => (spec: TensorSpec) => ({
    spec,
    ref: graph.resolve(parseTensorRef(infos.get(spec.name)?.tensor ?? '')),
  });
  return {
    inputs: signature.inputs.map(port(definition.inputs)),
    outputs: signature.outputs.map(port(definition.outputs)),
  };
}

/** The nodes of some assertions, by the names of the nodes that assert in the file. */
export function assertionNodes(
  names: readonly string[],
  { graph, library }: GraphView,
): readonly GraphNode[] {
  const asserting = names.flatMap((name) => graph.nodes.get(name) ?? []);
  return [...assertionsAmong(asserting, graph.nodes, library).values()];
}

/**
 * Optimizes the graph that a signature runs, as TensorFlow does: its outputs and all assertions together.
 *
 * @param names nodes that assert in the file
 */
export function runningGraph(asked: Asked, view: GraphView, names: readonly string[]): OptimizedGraph {
  const { graph, calls, variables } = view;
  const { inputs, outputs } = portsOf(asked, view);
  const assertions = assertionNodes(names, view);
  const feeds = inputs.map(({ ref }) => ref);
  const asserted = assertions.map(({ name }) => ({ node: name, index: 0 }));
  const results = [...outputs.map(({ ref }) => ref), ...asserted];
  const nodes = () => new Map([...graph.nodes, ...assertions.map((node) => [node.name, node] as const)]);
  const whole = assertions.length === 0 ? graph : { ...graph, nodes: nodes() };
  const frozen = freezeGraph(whole, results, feeds, variables.read);
  // A request may be of any shape: a session doesn't believe what a signature declares.
  let facts: KnownGraph | undefined;
  const known = () =>
    (facts ??= new KnownGraph({ graph: frozen, inputShapes: new Map(), inferShapes, results }).inferAll());
  // Callers fetch these by their own names; what a function returns is one that takes it.
  const fetched = [...asked.definition.outputs.values()]
    .map(({ tensor }) => parseTensorRef(tensor).node)
    .filter((name) => !calls.has(name));
  return optimizeGraph(frozen, {
    results,
    kept: new Set([...fetched, ...[...feeds, ...asserted].map(({ node }) => node)]),
    shape: (ref) => known().shape(ref),
  });
}
