import { type Infer, input, like, named, numbers, OPEN, sizes } from './known-tensors.ts';

const spaceToBatch: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const blocks = sizes(node, 1, known);
  const paddings = numbers(node, 2, known);
  if (whole === null || blocks === null) return null;
  const count = blocks.includes(OPEN) ? OPEN : blocks.reduce((total, size) => total * size, 1);
  return whole.map((size, axis) => {
    if (size < 0 || axis > blocks.length) return size;
    if (axis === 0) return count < 0 ? OPEN : size * count;
    const [block = OPEN, before, after] = [
      blocks[axis - 1],
      paddings?.[2 * axis - 2],
      paddings?.[2 * axis - 1],
    ];
    return block < 0 || before === undefined || after === undefined
      ? OPEN
      : Math.floor((size + before + after) / block);
  });
};

const batchToSpace: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const blocks = sizes(node, 1, known);
  const crops = numbers(node, 2, known);
  if (whole === null || blocks === null) return null;
  const count = blocks.includes(OPEN) ? OPEN : blocks.reduce((total, size) => total * size, 1);
  return whole.map((size, axis) => {
    if (size < 0 || axis > blocks.length) return size;
    if (axis === 0) return count <= 0 ? OPEN : Math.floor(size / count);
    const [block = OPEN, before, after] = [blocks[axis - 1], crops?.[2 * axis - 2], crops?.[2 * axis - 1]];
    return block < 0 || before === undefined || after === undefined ? OPEN : size * block - before - after;
  });
};

/** Shapes of what rearranging.ts converts. */
export const REARRANGED_SHAPES = [
  ...named('ReverseV2 Roll ReverseSequence', like(0)),
  ...named('SpaceToBatchND', spaceToBatch),
  ...named('BatchToSpaceND', batchToSpace),
];
