import type { GraphNode } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { HostTensor } from './host-tensor.ts';

/** Evaluates a TensorFlow operation of one output on the host. */
export type HostFunction = (inputs: readonly HostTensor[], node: GraphNode) => HostTensor;

/** The same for any operation: a list if it has several outputs. */
export type HostOperation = (...given: Parameters<HostFunction>) => HostTensor | readonly HostTensor[];

/** Input `index`. @throws {BrokenModel} if the node has too few */
export function hostInput(inputs: readonly HostTensor[], index: number, node: GraphNode): HostTensor {
  const input = inputs[index];
  if (input === undefined) throw new BrokenModel(`Node ${node.name} (${node.op}) has no input ${index}`);
  return input;
}

/** Axis `axis` counted from the front; -1 is the last of `rank`. @throws {BrokenModel} if there is no such axis */
export function normalAxis(axis: number, rank: number, node: GraphNode): number {
  const normal = axis < 0 ? axis + rank : axis;
  if (!(normal >= 0 && normal < rank))
    throw new BrokenModel(`Node ${node.name} (${node.op}): axis ${axis} of a tensor of rank ${rank}`);
  return normal;
}
