import type { FlatGraph } from './flatten-functions.ts';
import { type GraphNode, tensorName, type TensorRef } from './graph-node.ts';
import { knownTruth, type NodeOf } from './known-truth.ts';
import { runningNodes } from './running-nodes.ts';

const SWITCHES: ReadonlySet<string> = new Set(['Switch', 'RefSwitch']);
const MERGES: ReadonlySet<string> = new Set(['Merge', 'RefMerge']);
const NO_CALLS: ReadonlySet<string> = new Set();

/**
 * The graph as it is once TensorFlow 1's branches that never run are gone: a `Switch` becomes an `Identity` of its input, a `Merge`
 * an `Identity` of its live input. If the predicate isn't known, both stay as they are.
 *
 * @param outputs what is wanted: only predicates behind them are looked at
 * @param fed names of nodes with a value from the caller; a predicate that depends on one is not known
 * @throws {BrokenModel} if a predicate's constant is damaged
 */
export function withKnownBranches(
  graph: FlatGraph,
  outputs: readonly TensorRef[],
  fed: ReadonlySet<string>,
): NodeOf {
  const taken = takenSides(graph, runningNodes(graph, outputs, fed, NO_CALLS), fed);
  if (taken.size === 0) return (name) => graph.nodes.get(name);
  const fires = liveTensors(graph, fed, taken);
  const indices = new Map<string, GraphNode>();

  const liveInput = (merge: GraphNode): number | undefined => {
    const live = merge.inputs.flatMap((input, index) => (fires.has(tensorName(input)) ? [index] : []));
    return live.length === 1 ? live[0] : undefined;
  };
  const resolve = (ref: TensorRef): TensorRef => {
    if (!fires.has(tensorName(ref))) return ref;
    if (taken.has(ref.node)) return { node: ref.node, index: 0 };
    const node = graph.nodes.get(ref.node);
    if (ref.index !== 1 || node === undefined || !MERGES.has(node.op) || fed.has(node.name)) return ref;
    const index = liveInput(node);
    if (index === undefined) return ref;
    const constant = indexConstant(node, index);
    indices.set(constant.name, constant);
    return { node: constant.name, index: 0 };
  };

  return (name) => {
    const node = graph.nodes.get(name);
    if (node === undefined) return indices.get(name);
    const inputs = node.inputs.map(resolve);
    const from = taken.has(name) ? 0 : MERGES.has(node.op) ? liveInput(node) : undefined;
    const input = from === undefined ? undefined : inputs[from];
    if (input === undefined) return { ...node, inputs };
    const attributes = new Map([...node.attributes].filter(([attribute]) => attribute === 'T'));
    return { ...node, op: 'Identity', inputs: [input], attributes };
  };
}

/** Switch → index of the output that its known predicate chooses. */
function takenSides(
  graph: FlatGraph,
  running: readonly GraphNode[],
  fed: ReadonlySet<string>,
): Map<string, 0 | 1> {
  const taken = new Map<string, 0 | 1>();
  for (const node of running) {
    const predicate = node.inputs[1];
    if (!SWITCHES.has(node.op) || fed.has(node.name) || predicate === undefined) continue;
    const truth = knownTruth(predicate, (name) => graph.nodes.get(name), fed);
    if (truth !== undefined) taken.set(node.name, truth ? 1 : 0);
  }
  return taken;
}

interface Use {
  /** Output that is used, or `undefined` for a control input, which waits for the node as a whole. */
  readonly index: number | undefined;
  readonly user: GraphNode;
}

/**
 * Every tensor that can come to be: nodes fire, as TensorFlow's do, when all their inputs are there, a `Merge` at its
 * first. Of a switch with an unknown predicate both sides count.
 */
function liveTensors(
  graph: FlatGraph,
  fed: ReadonlySet<string>,
  taken: ReadonlyMap<string, 0 | 1>,
): ReadonlySet<string> {
  const uses = new Map<string, Use[]>();
  const missing = new Map<string, number>();
  const firing: string[] = [];
  const addUse = (name: string, use: Use) => {
    const known = uses.get(name);
    if (known === undefined) uses.set(name, [use]);
    else known.push(use);
  };
  for (const user of graph.nodes.values()) {
    // A control input that waits for a call has nothing to wait for: the call's nodes took its place.
    const controls = (user.controls ?? []).filter((name) => graph.nodes.has(name));
    const count = fed.has(user.name) ? 0 : user.inputs.length + controls.length;
    if (count === 0) firing.push(user.name);
    else {
      missing.set(user.name, MERGES.has(user.op) ? 1 : count);
      for (const { node, index } of user.inputs) addUse(node, { index, user });
      // TensorFlow lets only a merge's data decide.
      if (!MERGES.has(user.op)) controls.forEach((name) => addUse(name, { index: undefined, user }));
    }
  }
  const live = new Set<string>();
  for (let name = firing.pop(); name !== undefined; name = firing.pop()) {
    const side = taken.get(name);
    for (const { index, user } of uses.get(name) ?? []) {
      if (side !== undefined && index !== undefined && index !== side) continue;
      if (index !== undefined) live.add(tensorName({ node: name, index }));
      const left = (missing.get(user.name) ?? 0) - 1;
      missing.set(user.name, left);
      if (left === 0) firing.push(user.name);
    }
  }
  return live;
}

/** The second output of a merge says which of its inputs came. A colon cannot be in the name of a real node. */
function indexConstant(merge: GraphNode, index: number): GraphNode {
  const value = { dtype: 'int32' as const, shape: [], data: Int32Array.of(index) };
  return { name: `${merge.name}:value_index`, op: 'Const', inputs: [], attributes: merge.attributes, value };
}
