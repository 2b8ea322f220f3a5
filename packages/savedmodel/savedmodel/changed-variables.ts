import type { FlatGraph } from './flatten-functions.ts';
import type { TensorRef } from './graph-node.ts';
import { variableId } from './restored-variables.ts';
import { UnsupportedModel } from './servable-model.ts';

const ASSIGNMENTS = /^Assign(Add|Sub)?VariableOp$/;

/**
 * A request that changes a variable which the next one reads, as a stateful recurrent layer does, has no counterpart: here every
 * request finds the model as it was saved.
 *
 * @param calls names of the graph's nodes that call functions
 * @param read identities of the variables that the signature reads
 * @throws {UnsupportedModel} if a function behind the outputs assigns one of them
 */
export function refuseChangedVariables(
  graph: FlatGraph,
  outputs: readonly TensorRef[],
  calls: ReadonlySet<string>,
  read: ReadonlySet<string>,
): void {
  const called = new Set(
    outputs.map(({ node }) => node.split('/')[0] ?? '').filter((name) => calls.has(name)),
  );
  for (const { name, op, inputs } of graph.nodes.values()) {
    const [handle] = inputs;
    if (!ASSIGNMENTS.test(op) || handle === undefined || !called.has(name.split('/')[0] ?? '')) continue;
    if (read.has(variableId(graph, handle)))
      throw new UnsupportedModel([`${op} (a variable that requests change)`], `node ${name}`);
  }
}
