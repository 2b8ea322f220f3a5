import { intAttr, intsAttr } from '../savedmodel/graph-node.ts';
import {
  countOf,
  type Infer,
  input,
  named,
  normal,
  number,
  numbers,
  OPEN,
  scalar,
  sizes,
} from './known-tensors.ts';

const reshape: Infer = (node, known) => {
  const target = sizes(node, 1, known);
  const whole = input(node, 0, known);
  if (target === null) return null;
  const open = target.filter((size) => size < 0).length;
  const elements = whole === null ? OPEN : countOf(whole);
  if (open !== 1 || elements < 0) return target;
  const others = target.reduce((total, size) => (size < 0 ? total : total * size), 1);
  return target.map((size) => (size < 0 ? Math.floor(elements / others) : size));
};

const squeeze: Infer = (node, known) => {
  const whole = input(node, 0, known);
  if (whole === null) return null;
  const axes = intsAttr(node, 'squeeze_dims').map((axis) => normal(axis, whole));
  if (axes.length > 0) return whole.filter((_, axis) => !axes.includes(axis));
  return whole.includes(OPEN) ? null : whole.filter((size) => size !== 1);
};

const expandDims: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = number(node, 1, known);
  if (whole === null || axis === undefined) return null;
  return whole.toSpliced(axis < 0 ? axis + whole.length + 1 : axis, 0, 1);
};

const transpose: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const order = numbers(node, 1, known);
  return whole && order && order.map((axis) => whole.at(axis) ?? OPEN);
};

/** Shapes of operations that give the same elements other axes, and of those that make tensors of a given shape. */
export const LAYOUT_SHAPES = [
  ...named('Reshape', reshape),
  ...named('Squeeze', squeeze),
  ...named('ExpandDims', expandDims),
  ...named('Transpose', transpose),
  ...named('Shape', (node, known) => [input(node, 0, known)?.length ?? OPEN]),
  ...named('ShapeN', (node, known) => node.inputs.map((ref) => [known.shape(ref)?.length ?? OPEN])),
  ...named('Rank Size', scalar),
  ...named('Fill', (node, known) => sizes(node, 0, known)),
  ...named('BroadcastTo', (node, known) => sizes(node, 1, known)),
  ...named('Range', () => [OPEN]),
  ...named('Tile', (node, known) => {
    const times = sizes(node, 1, known);
    const whole = input(node, 0, known);
    const grown = (size: number, count: number) => (size < 0 || count < 0 ? OPEN : size * count);
    return whole && whole.map((size, axis) => grown(size, times?.[axis] ?? OPEN));
  }),
  ...named('OneHot', (node, known) => {
    const whole = input(node, 0, known);
    const axis = intAttr(node, 'axis', -1);
    return whole && whole.toSpliced(axis < 0 ? whole.length : axis, 0, number(node, 1, known) ?? OPEN);
  }),
  ...named('EnsureShape', (node, known) => {
    const declared = node.attributes.get('shape')?.shape ?? null;
    const given = input(node, 0, known);
    return declared === null
      ? given
      : declared.map((size, axis) => (size < 0 ? (given?.[axis] ?? OPEN) : size));
  }),
];
