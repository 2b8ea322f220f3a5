import { resolveSlice } from '../host/strided-slice.ts';
import { intAttr } from '../savedmodel/graph-node.ts';
import { type Infer, input, named, normal, number, numbers, OPEN } from './known-tensors.ts';

const gather: Infer = (node, known) => {
  const [params, indices] = [input(node, 0, known), input(node, 1, known)];
  const batch = intAttr(node, 'batch_dims');
  const first = node.op === 'ResourceGather' ? batch : 0;
  const axis = node.inputs.length > 2 ? number(node, 2, known) : first;
  if (params === null || indices === null || axis === undefined) return null;
  const inner = indices.slice(batch < 0 ? batch + indices.length : batch);
  return params.toSpliced(normal(axis, params), 1, ...inner);
};

const gatherNd: Infer = (node, known) => {
  const [params, indices] = [input(node, 0, known), input(node, 1, known)];
  const depth = indices?.at(-1) ?? OPEN;
  return params === null || indices === null || depth < 0
    ? null
    : [...indices.slice(0, -1), ...params.slice(depth)];
};

const pad: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const amounts = numbers(node, 1, known);
  if (whole === null) return null;
  return whole.map((size, axis) => {
    const [before, after] = [amounts?.[2 * axis], amounts?.[2 * axis + 1]];
    return size < 0 || before === undefined || after === undefined ? OPEN : size + before + after;
  });
};

const stridedSlice: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const [begin, end, steps] = [1, 2, 3].map((index) => numbers(node, index, known));
  if (whole === null || !steps) return null;
  // Which axes are left depends on the masks alone.
  const unknown = steps.map(() => 0);
  const items = resolveSlice(node, begin ?? unknown, end ?? unknown, steps);
  const taken = items.filter(({ kind }) => kind === 'range' || kind === 'index').length;
  const result: number[] = [];
  let axis = 0;
  for (const item of items) {
    if (item.kind === 'newAxis') result.push(1);
    else if (item.kind === 'index') axis++;
    else if (item.kind === 'ellipsis') {
      const rest = whole.length - taken;
      result.push(...whole.slice(axis, axis + rest));
      axis += rest;
    } else {
      const full = item.begin === null && item.end === null && item.step === 1;
      result.push(full ? (whole[axis] ?? OPEN) : OPEN);
      axis++;
    }
  }
  return [...result, ...whole.slice(axis)];
};

const slice: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const counts = numbers(node, 2, known);
  const begin = numbers(node, 1, known);
  if (whole === null || counts === null) return whole && whole.map(() => OPEN);
  return whole.map((size, axis) => {
    const [count, first] = [counts[axis] ?? OPEN, begin?.[axis]];
    if (count >= 0) return count;
    return size < 0 || first === undefined ? OPEN : size - first;
  });
};

/** Shapes of operations that pick, cut and pad. */
export const SLICE_SHAPES = [
  ...named('Gather GatherV2 ResourceGather', gather),
  ...named('GatherNd', gatherNd),
  ...named('Pad PadV2 MirrorPad', pad),
  ...named('StridedSlice', stridedSlice),
  ...named('Slice', slice),
];
