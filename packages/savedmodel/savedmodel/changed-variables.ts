import type { FlatGraph } from './flatten-functions.ts';
import type { GraphNode } from './graph-node.ts';
import { variableId } from './restored-variables.ts';
import { UnsupportedModel } from './servable-model.ts';

/** TensorFlow itself would answer otherwise each time. */
const FOR_INFERENCE =
  'its answers would differ from request to request, as random augmentation and stateful layers make them: export it ' +
  'for inference, with training=False';

const ASSIGNMENTS = /^Assign(Add|Sub)?VariableOp$/;

/**
 * A request that changes a variable which the next one reads, as a stateful recurrent layer does, has no counterpart: here every
 * request finds the model as it was saved.
 *
 * @param called nodes of the functions behind the signature's outputs
 * @param read identities of the variables that the signature reads
 * @throws {UnsupportedModel} if a function behind the outputs assigns one of them
 */
export function refuseChangedVariables(
  graph: FlatGraph,
  called: readonly GraphNode[],
  read: ReadonlySet<string>,
): void {
  for (const { name, op, inputs } of called) {
    const [handle] = inputs;
    if (!ASSIGNMENTS.test(op) || handle === undefined) continue;
    if (read.has(variableId(graph, handle)))
      throw new UnsupportedModel([`${op} (a variable that requests change)`], `node ${name}`, FOR_INFERENCE);
  }
}
