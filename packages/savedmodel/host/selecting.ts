import { unsupported } from '../savedmodel/graph-node.ts';
import { combine } from './broadcast.ts';
import { hostInput, type HostOperation } from './host-operation.ts';
import { hostTensorOf } from './host-tensor.ts';

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
export const HOST_SELECTIONS: Readonly<Record<string, HostOperation>> = {
  SelectV2: select,
  BroadcastArgs: broadcastArgs,
};
