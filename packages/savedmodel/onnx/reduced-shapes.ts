import { boolAttr, textAttr } from '../savedmodel/graph-node.ts';
import {
  broadcast,
  type Infer,
  input,
  named,
  normal,
  number,
  numbers,
  OPEN,
  scalar,
} from './known-tensors.ts';

const product: Infer = (node, known) => {
  const [left, right] = [input(node, 0, known), input(node, 1, known)];
  if (left === null || right === null || left.length < 2 || right.length < 2) return null;
  const rows = boolAttr(node, 'transpose_a') || boolAttr(node, 'adj_x') ? -1 : -2;
  const columns = boolAttr(node, 'transpose_b') || boolAttr(node, 'adj_y') ? -2 : -1;
  const batch = broadcast([left.slice(0, -2), right.slice(0, -2)]);
  return batch && [...batch, left.at(rows) ?? OPEN, right.at(columns) ?? OPEN];
};

const reduction: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axes = numbers(node, 1, known);
  const keep = boolAttr(node, 'keep_dims');
  if (whole === null || axes === null) return null;
  const normal = axes.map((axis) => (axis < 0 ? axis + whole.length : axis));
  return keep
    ? whole.map((size, axis) => (normal.includes(axis) ? 1 : size))
    : whole.filter((_, axis) => !normal.includes(axis));
};

const argument: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = number(node, 1, known);
  return whole === null || axis === undefined ? null : whole.filter((_, at) => at !== normal(axis, whole));
};

const einsum: Infer = (node, known) => {
  const [left = '', right = ''] = textAttr(node, 'equation').split('->');
  if (left.includes('.')) return null;
  const sizes = new Map<string, number>();
  left.split(',').forEach((term, index) => {
    const shape = input(node, index, known);
    [...term].forEach((letter, axis) => {
      if ((sizes.get(letter) ?? OPEN) < 0) sizes.set(letter, shape?.[axis] ?? OPEN);
    });
  });
  return [...right].map((letter) => sizes.get(letter) ?? OPEN);
};

/** Shapes of operations that sum or search along axes. */
export const REDUCED_SHAPES = [
  ...named('MatMul BatchMatMul BatchMatMulV2 BatchMatMulV3', product),
  ...named('Mean Sum Max Min Prod All Any', reduction),
  ...named('ArgMax ArgMin', argument),
  ...named('TopKV2', (node, known) => {
    const whole = input(node, 0, known);
    const best = whole && [...whole.slice(0, -1), number(node, 1, known) ?? OPEN];
    return [best, best];
  }),
  ...named('Einsum', einsum),
  ...named('L2Loss', scalar),
];
