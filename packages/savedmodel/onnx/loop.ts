import type { FlatFunction } from '../savedmodel/flatten-functions.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';

/** A loop: what goes in at `node.inputs[i]` is argument i of both functions and result i of the body. */
export interface Loop {
  readonly node: GraphNode;
  /** `tensorflow.DataType` of each. */
  readonly types: readonly number[];
  readonly condition: FlatFunction;
  readonly body: FlatFunction;
}
