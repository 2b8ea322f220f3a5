import { isRoundedToBfloat16 } from '../onnx/rounded-to-bfloat16.ts';
import { roundToBfloat16 } from '../savedmodel/bfloat16.ts';
import { type GraphNode, tensorName, type TensorRef, unsupported } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { combine } from './broadcast.ts';
import { hostInput, type HostOperation } from './host-operation.ts';
import { asList, type HostTensor, hostTensorOf, isExactOnHost } from './host-tensor.ts';
import { RESIZES } from './resize.ts';
import { SHAPE_OPERATIONS } from './shape-operations.ts';
import { SLICES } from './strided-slice.ts';

/** Elements of one tensor where the condition holds, and of another where not. */
const select: HostOperation = (inputs, node) => {
  const [condition, yes, no] = [0, 1, 2].map((index) => hostInput(inputs, index, node));
  if (condition === undefined || yes === undefined || no === undefined) throw unsupported(node);
  const zero = () => 0;
  const common = combine(combine(condition, yes, 'bool', zero), no, 'bool', zero);
  const [truths, ours, others] = [condition, yes, no].map((one) =>
    combine(one, common, one.dtype, (value) => value),
  );
  return hostTensorOf(
    yes.dtype,
    common.shape,
    Array.from(common.data, (_, at) => (truths?.data[at] === 0 ? others : ours)?.data[at] ?? 0),
  );
};

const broadcastArgs: HostOperation = (inputs, node) => {
  const [a, b] = [Array.from(hostInput(inputs, 0, node).data), Array.from(hostInput(inputs, 1, node).data)];
  const rank = Math.max(a.length, b.length);
  const shape = Array.from({ length: rank }, (_, axis) => {
    const [left, right] = [a[axis - rank + a.length] ?? 1, b[axis - rank + b.length] ?? 1];
    if (left !== right && left !== 1 && right !== 1)
      throw unsupported(node, `[${a.join()}] and [${b.join()}]`);
    return left === 1 ? right : left;
  });
  return hostTensorOf(hostInput(inputs, 0, node).dtype, [rank], shape);
};

/** Operations that choose among elements and sizes. */
const HOST_SELECTIONS: Readonly<Record<string, HostOperation>> = {
  SelectV2: select,
  BroadcastArgs: broadcastArgs,
};

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
