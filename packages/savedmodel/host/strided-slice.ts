import { type GraphNode, intAttr } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import { hostInput, type HostOperation } from './host-operation.ts';
import { type HostTensor, newHostTensor } from './host-tensor.ts';

/** One entry of NumPy's basic slicing: a range, a single index, a new axis, or `...`. */
export type SliceItem =
  | {
      readonly kind: 'range';
      readonly begin: number | null;
      readonly end: number | null;
      readonly step: number;
    }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'newAxis' }
  | { readonly kind: 'ellipsis' };

/** A `StridedSlice`, spelled out from its bit masks. */
export function resolveSlice(
  node: GraphNode,
  begin: readonly number[],
  end: readonly number[],
  steps: readonly number[],
): SliceItem[] {
  const bit = (mask: string, index: number) => ((intAttr(node, mask) >> index) & 1) === 1;
  return begin.map((first, index): SliceItem => {
    if (bit('ellipsis_mask', index)) return { kind: 'ellipsis' };
    if (bit('new_axis_mask', index)) return { kind: 'newAxis' };
    if (bit('shrink_axis_mask', index)) return { kind: 'index', index: first };
    return {
      kind: 'range',
      begin: bit('begin_mask', index) ? null : first,
      end: bit('end_mask', index) ? null : (end[index] ?? 0),
      step: steps[index] ?? 1,
    };
  });
}

const stridedSlice: HostOperation = (inputs, node) => {
  const [begin = [], end = [], steps = []] = [1, 2, 3].map((index) =>
    Array.from(hostInput(inputs, index, node).data),
  );
  return sliceHost(hostInput(inputs, 0, node), resolveSlice(node, begin, end, steps), node);
};

const slice: HostOperation = (inputs, node) => {
  const [begin = [], size = []] = [1, 2].map((index) => Array.from(hostInput(inputs, index, node).data));
  const { shape } = hostInput(inputs, 0, node);
  const items = begin.map((first, axis): SliceItem => {
    const count = size[axis] ?? -1;
    const whole = shape[axis] ?? 0;
    if (first < 0 || count < -1 || first + Math.max(count, 0) > whole)
      throw new BrokenModel(`Node ${node.name} (Slice): ${count} elements from ${first} of ${whole}`);
    return { kind: 'range', begin: first, end: count < 0 ? null : first + count, step: 1 };
  });
  return sliceHost(hostInput(inputs, 0, node), items, node);
};

/** Axis by axis: the chosen indices of each, then every combination of them. */
function sliceHost(tensor: HostTensor, items: readonly SliceItem[], node: GraphNode): HostTensor {
  const used = items.filter(({ kind }) => kind === 'range' || kind === 'index').length;
  if (used > tensor.shape.length)
    throw new BrokenModel(
      `Node ${node.name} (${node.op}): ${used} axes of a tensor of rank ${tensor.shape.length}`,
    );
  const chosen: number[][] = [];
  const shape: number[] = [];
  const takeAll = () => {
    const size = tensor.shape[chosen.length] ?? 0;
    chosen.push(Array.from({ length: size }, (_, index) => index));
    shape.push(size);
  };
  const takeRest = (leave: number) => {
    while (chosen.length < tensor.shape.length - leave) takeAll();
  };
  items.forEach((item, position) => {
    const size = tensor.shape[chosen.length] ?? 0;
    if (item.kind === 'newAxis') shape.push(1);
    else if (item.kind === 'ellipsis')
      takeRest(
        used -
          items.slice(0, position).filter((before) => before.kind === 'range' || before.kind === 'index')
            .length,
      );
    else if (item.kind === 'index') chosen.push([placeOf(item.index, size, node)]);
    else {
      const indices = rangeIndices(item.begin, item.end, item.step, size);
      chosen.push(indices);
      shape.push(indices.length);
    }
  });
  takeRest(0);
  const result = newHostTensor(tensor.dtype, shape);
  const strides = tensor.shape.map((_, axis) => tensor.shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  let written = 0;
  const walk = (axis: number, offset: number): void => {
    if (axis === chosen.length) {
      result.data[written++] = tensor.data[offset] ?? 0;
      return;
    }
    for (const index of chosen[axis] ?? []) walk(axis + 1, offset + index * (strides[axis] ?? 0));
  };
  walk(0, 0);
  return result;
}

/** A single index counted from the front, which even a tensor without elements must have. */
function placeOf(index: number, size: number, node: GraphNode): number {
  const place = index < 0 ? index + size : index;
  if (place >= 0 && place < size) return place;
  throw new BrokenModel(`Node ${node.name} (${node.op}): index ${index} of an axis of ${size}`);
}

function rangeIndices(begin: number | null, end: number | null, step: number, size: number): number[] {
  const clamp = (value: number) => {
    const index = value < 0 ? value + size : value;
    return step > 0 ? Math.min(Math.max(index, 0), size) : Math.min(Math.max(index, -1), size - 1);
  };
  const first = begin === null ? (step > 0 ? 0 : size - 1) : clamp(begin);
  const last = end === null ? (step > 0 ? size : -1) : clamp(end);
  const indices: number[] = [];
  if (step > 0) for (let index = first; index < last; index += step) indices.push(index);
  if (step < 0) for (let index = first; index > last; index += step) indices.push(index);
  return indices;
}

/** Operations that cut out a part by bounds. */
export const SLICES: Readonly<Record<string, HostOperation>> = { StridedSlice: stridedSlice, Slice: slice };
