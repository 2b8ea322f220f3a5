import {
  boolAttr,
  type GraphNode,
  intAttr,
  intsAttr,
  typeAttr,
  unsupported,
} from '../savedmodel/graph-node.ts';
import { BrokenModel, InvalidFeeds } from '../savedmodel/servable-model.ts';
import { combine } from './broadcast.ts';
import { hostInput, type HostOperation, normalAxis } from './host-operation.ts';
import { type HostDType, type HostTensor, hostTensorOf, newHostTensor, sizeOf } from './host-tensor.ts';

const same: HostOperation = (inputs, node) => hostInput(inputs, 0, node);

const ensureShape: HostOperation = (inputs, node) => {
  const tensor = hostInput(inputs, 0, node);
  const declared = node.attributes.get('shape')?.shape ?? null;
  const agrees = (size: number, axis: number) => size < 0 || size === tensor.shape[axis];
  if (declared !== null && !(declared.length === tensor.shape.length && declared.every(agrees)))
    throw new InvalidFeeds(
      `Node ${node.name} (${node.op}): the shape is [${tensor.shape.join(', ')}], not [${declared.join(', ')}]`,
    );
  return tensor;
};

const reshape: HostOperation = (inputs, node) => {
  const tensor = hostInput(inputs, 0, node);
  const wanted = Array.from(hostInput(inputs, 1, node).data);
  const known = wanted.filter((size) => size >= 0).reduce((product, size) => product * size, 1);
  if (known === 0 && wanted.some((size) => size < 0))
    throw unsupported(node, 'an open size along with one of 0');
  const shape = wanted.map((size) => (size < 0 ? tensor.data.length / known : size));
  return withShape(tensor, shape, node);
};

const squeeze: HostOperation = (inputs, node) => {
  const tensor = hostInput(inputs, 0, node);
  const axes = intsAttr(node, 'squeeze_dims').map((axis) => normalAxis(axis, tensor.shape.length, node));
  const gone = (size: number, axis: number) => (axes.length === 0 ? size === 1 : axes.includes(axis));
  if (axes.some((axis) => tensor.shape[axis] !== 1))
    throw misfit(
      node,
      `[${tensor.shape.join(',')}] has more or less than 1 element along [${axes.join(',')}]`,
    );
  return withShape(
    tensor,
    tensor.shape.filter((size, axis) => !gone(size, axis)),
    node,
  );
};

const expandDims: HostOperation = (inputs, node) => {
  const tensor = hostInput(inputs, 0, node);
  const axis = normalAxis(hostInput(inputs, 1, node).data[0] ?? 0, tensor.shape.length + 1, node);
  return withShape(tensor, tensor.shape.toSpliced(axis, 0, 1), node);
};

const shapeOf: HostOperation = (inputs, node) => {
  const { shape } = hostInput(inputs, 0, node);
  return hostTensorOf(indexType(node, 'out_type'), [shape.length], shape);
};

const pack: HostOperation = (inputs, node) => {
  const first = hostInput(inputs, 0, node);
  const axis = normalAxis(intAttr(node, 'axis'), first.shape.length + 1, node);
  const parts = inputs.map((input) => withShape(input, input.shape.toSpliced(axis, 0, 1), node));
  return concatenate(parts, axis, node);
};

const concat: HostOperation = (inputs, node) => {
  const axis = hostInput(inputs, inputs.length - 1, node).data[0] ?? 0;
  const parts = inputs.slice(0, -1);
  return concatenate(parts, normalAxis(axis, hostInput(parts, 0, node).shape.length, node), node);
};

const unpack: HostOperation = (inputs, node) => {
  const tensor = hostInput(inputs, 0, node);
  const axis = normalAxis(intAttr(node, 'axis'), tensor.shape.length, node);
  const count = tensor.shape[axis] ?? 0;
  if (count !== intAttr(node, 'num'))
    throw misfit(node, `[${tensor.shape.join(',')}] has ${count} elements along axis ${axis}`);
  const others = tensor.shape.keys().filter((other) => other !== axis);
  const front = transposeHost(tensor, [axis, ...others], node);
  const size = sizeOf(front.shape.slice(1));
  return Array.from({ length: count }, (_, index) => ({
    dtype: tensor.dtype,
    shape: front.shape.slice(1),
    data: front.data.subarray(index * size, (index + 1) * size),
  }));
};

/** `Pad` and `PadV2`. Each row of the last axis is copied to its place. */
const pad: HostOperation = (inputs, node) => {
  const { dtype, shape, data } = hostInput(inputs, 0, node);
  const amounts = Array.from(hostInput(inputs, 1, node).data);
  if (amounts.length !== 2 * shape.length || amounts.some((amount) => amount < 0))
    throw misfit(node, `amounts [${amounts.join(',')}] around [${shape.join(',')}]`);
  const before = (axis: number) => amounts[2 * axis] ?? 0;
  const result = newHostTensor(
    dtype,
    shape.map((size, axis) => before(axis) + size + (amounts[2 * axis + 1] ?? 0)),
  );
  result.data.fill(inputs[2]?.data[0] ?? 0);
  const last = shape.length - 1;
  const row = shape[last] ?? 1;
  for (let start = 0; start < data.length; start += row) {
    let rest = start / row;
    let stride = result.shape[last] ?? 1;
    let target = last < 0 ? 0 : before(last);
    for (let axis = last - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 0;
      target += (before(axis) + (rest % size)) * stride;
      rest = Math.floor(rest / size);
      stride *= result.shape[axis] ?? 0;
    }
    result.data.set(data.subarray(start, start + row), target);
  }
  return result;
};

const gather: HostOperation = (inputs, node) => {
  const tensor = hostInput(inputs, 0, node);
  const indices = hostInput(inputs, 1, node);
  if (intAttr(node, 'batch_dims') !== 0) throw unsupported(node, 'batch_dims on the host');
  const axis = normalAxis(inputs[2]?.data[0] ?? 0, tensor.shape.length, node);
  const inner = sizeOf(tensor.shape.slice(axis + 1));
  const along = tensor.shape[axis] ?? 0;
  const outer = sizeOf(tensor.shape.slice(0, axis));
  const result = newHostTensor(tensor.dtype, tensor.shape.toSpliced(axis, 1, ...indices.shape));
  // TensorFlow asks no index where nothing is taken.
  if (result.data.length === 0) return result;
  let written = 0;
  for (let block = 0; block < outer; block++) {
    for (const index of indices.data) {
      if (!(index >= 0 && index < along))
        throw new BrokenModel(`Node ${node.name}: index ${index} of ${along}`);
      const start = (block * along + index) * inner;
      result.data.set(tensor.data.subarray(start, start + inner), written);
      written += inner;
    }
  }
  return result;
};

const transpose: HostOperation = (inputs, node) =>
  transposeHost(hostInput(inputs, 0, node), Array.from(hostInput(inputs, 1, node).data), node);

const range: HostOperation = (inputs, node) => {
  const start = hostInput(inputs, 0, node);
  const first = start.data[0] ?? 0;
  const end = hostInput(inputs, 1, node).data[0] ?? 0;
  const step = hostInput(inputs, 2, node).data[0] ?? 0;
  const rounded = start.dtype === 'float32' ? Math.fround : Number;
  const count = Math.ceil(rounded(rounded(end - first) / step));
  if (!(step !== 0 && count >= 0))
    throw new BrokenModel(`Node ${node.name}: a range from ${first} to ${end} with step ${step}`);
  const result = newHostTensor(start.dtype, [count]);
  for (let index = 0; index < result.data.length; index++) result.data[index] = first + rounded(index * step);
  return result;
};

const fill: HostOperation = (inputs, node) => {
  const value = hostInput(inputs, 1, node);
  const result = newHostTensor(value.dtype, Array.from(hostInput(inputs, 0, node).data));
  result.data.fill(value.data[0] ?? 0);
  return result;
};

const product: HostOperation = (inputs, node) => {
  const { dtype, data, shape } = hostInput(inputs, 0, node);
  if (dtype.startsWith('float')) throw unsupported(node, 'of floats on the host');
  const axes = Array.from(hostInput(inputs, 1, node).data);
  const all = new Set(axes.map((axis) => normalAxis(axis, shape.length, node))).size === shape.length;
  if (!all) throw unsupported(node, 'over some axes on the host');
  const kept = boolAttr(node, 'keep_dims') ? shape.map(() => 1) : [];
  const result = Array.from(data).reduce((a, b) => a * b, 1);
  if (!Number.isSafeInteger(result)) throw unsupported(node, `${result}`);
  return hostTensorOf(dtype, kept, [result]);
};

const broadcastTo: HostOperation = (inputs, node) => {
  const tensor = hostInput(inputs, 0, node);
  const shape = Array.from(hostInput(inputs, 1, node).data);
  const result = combine(tensor, newHostTensor(tensor.dtype, shape), tensor.dtype, (value) => value);
  if (result.shape.join() === shape.join()) return result;
  throw misfit(node, `[${tensor.shape.join(',')}] to [${shape.join(',')}]`);
};

function concatenate(parts: readonly HostTensor[], axis: number, node: GraphNode): HostTensor {
  const first = hostInput(parts, 0, node);
  const along = parts.reduce((sum, part) => sum + (part.shape[axis] ?? 0), 0);
  const outer = sizeOf(first.shape.slice(0, axis));
  const rest = first.shape.toSpliced(axis, 1).join();
  if (
    parts.some(({ shape }) => shape.length !== first.shape.length || shape.toSpliced(axis, 1).join() !== rest)
  )
    throw misfit(node, 'the parts do not fit together');
  const result = newHostTensor(first.dtype, first.shape.with(axis, along));
  const rows = parts.map((part) => ({ data: part.data, size: outer === 0 ? 0 : part.data.length / outer }));
  let written = 0;
  for (let block = 0; block < outer; block++) {
    for (const { data, size } of rows) {
      result.data.set(data.subarray(block * size, (block + 1) * size), written);
      written += size;
    }
  }
  return result;
}

/** Reorders the axes: axis i of the result is axis `perm[i]` of the tensor. */
export function transposeHost(tensor: HostTensor, perm: readonly number[], node: GraphNode): HostTensor {
  const { shape, data } = tensor;
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const axes = perm.map((axis) => normalAxis(axis, shape.length, node));
  if (new Set(axes).size !== shape.length || axes.length !== shape.length)
    throw new BrokenModel(`Node ${node.name}: permutation [${perm.join()}]`);
  const result = newHostTensor(
    tensor.dtype,
    axes.map((axis) => shape[axis] ?? 0),
  );
  const steps = axes.map((axis) => strides[axis] ?? 0);
  const counter = new Array<number>(axes.length).fill(0);
  let source = 0;
  for (let index = 0; index < result.data.length; index++) {
    result.data[index] = data[source] ?? 0;
    for (let axis = axes.length - 1; axis >= 0; axis--) {
      const count = (counter[axis] ?? 0) + 1;
      source += steps[axis] ?? 0;
      counter[axis] = count;
      if (count < (result.shape[axis] ?? 0)) break;
      source -= count * (steps[axis] ?? 0);
      counter[axis] = 0;
    }
  }
  return result;
}

function withShape(tensor: HostTensor, shape: readonly number[], node: GraphNode): HostTensor {
  if (sizeOf(shape) !== tensor.data.length)
    throw misfit(node, `[${tensor.shape.join(',')}] as [${shape.join(',')}]`);
  return { ...tensor, shape };
}

function misfit(node: GraphNode, what: string): BrokenModel {
  return new BrokenModel(`Node ${node.name} (${node.op}): ${what}`);
}

function indexType(node: GraphNode, attribute: string): HostDType {
  return typeAttr(node, attribute, 'int32') === 'int64' ? 'int64' : 'int32';
}

/** Operations that move elements or speak of shapes. */
export const SHAPE_OPERATIONS: Readonly<Record<string, HostOperation>> = {
  Identity: same,
  StopGradient: same,
  PreventGradient: same,
  Snapshot: same,
  Enter: same,
  Exit: same,
  EnsureShape: ensureShape,
  Reshape: reshape,
  Squeeze: squeeze,
  ExpandDims: expandDims,
  Shape: shapeOf,
  Pack: pack,
  Unpack: unpack,
  Pad: pad,
  PadV2: pad,
  ConcatV2: concat,
  GatherV2: gather,
  ResourceGather: gather,
  Transpose: transpose,
  Range: range,
  Fill: fill,
  Prod: product,
  BroadcastTo: broadcastTo,
};
