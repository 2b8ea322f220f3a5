import { isRoundedToBfloat16 } from '../onnx/rounded-to-bfloat16.ts';
import { roundToBfloat16 } from '../savedmodel/bfloat16.ts';
import { type GraphNode, tensorName, type TensorRef, unsupported } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import { ARITHMETIC } from './arithmetic.ts';
import type { HostOperation } from './host-operation.ts';
import { asList, type HostTensor, isExactOnHost } from './host-tensor.ts';
import { RESIZES } from './resize.ts';
import { HOST_SELECTIONS } from './selecting.ts';
import { SHAPE_OPERATIONS } from './shape-operations.ts';
import { SLICES } from './strided-slice.ts';

const OPERATIONS: ReadonlyMap<string, HostOperation> = new Map(
  Object.entries({ ...ARITHMETIC, ...SHAPE_OPERATIONS, ...SLICES, ...RESIZES, ...HOST_SELECTIONS }),
);

/** Operations that the host evaluates, by name. */
export const HOST_OPERATIONS: readonly string[] = [...OPERATIONS.keys()].sort();

/** Whether the host can evaluate the node once it has its inputs. */
export function isHostOperation(node: GraphNode): boolean {
  return OPERATIONS.has(node.op);
}

/** The node's outputs. @throws {UnsupportedModel} if the host does not know its operation */
export function evaluate(node: GraphNode, inputs: readonly HostTensor[]): readonly HostTensor[] {
  const operation = OPERATIONS.get(node.op);
  if (operation === undefined) throw unsupported(node, 'on the host');
  // Two steps, and TensorFlow rounds after each.
  if (node.op === 'SquaredDifference' && isRoundedToBfloat16(node)) throw unsupported(node, 'bfloat16');
  const results = asList(operation(inputs, node));
  if (!results.every(isExactOnHost)) throw unsupported(node, 'integers above 2^53 on the host');
  return isRoundedToBfloat16(node) ? results.map(rounded) : results;
}

function rounded({ dtype, shape, data }: HostTensor): HostTensor {
  return { dtype, shape, data: data instanceof Float32Array ? roundToBfloat16(data) : data };
}

/** The value of `ref` among those computed so far. @throws {BrokenModel} if there is no such value */
export function valueOf<T>(values: ReadonlyMap<string, T>, ref: TensorRef): T {
  const value = values.get(tensorName(ref));
  if (value === undefined) throw new BrokenModel(`Tensor ${tensorName(ref)} is used before it is computed`);
  return value;
}
