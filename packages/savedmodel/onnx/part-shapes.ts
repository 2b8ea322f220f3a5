import { intAttr } from '../savedmodel/graph-node.ts';
import { broadcast, type Infer, input, named, normal, number, OPEN, sizes } from './known-tensors.ts';

const pack: Infer = (node, known) => {
  const part = broadcast(node.inputs.map((ref) => known.shape(ref)));
  const axis = intAttr(node, 'axis');
  return part && part.toSpliced(axis < 0 ? axis + part.length + 1 : axis, 0, node.inputs.length);
};

const unpack: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = intAttr(node, 'axis');
  const part = whole && whole.filter((_, at) => at !== normal(axis, whole));
  return Array.from({ length: intAttr(node, 'num') }, () => part);
};

const concat =
  (axisIndex: number): Infer =>
  (node, known) => {
    const axis = number(node, axisIndex, known);
    const parts = node.inputs.toSpliced(axisIndex, 1).map((ref) => known.shape(ref));
    const [first] = parts;
    if (first === undefined || first === null || axis === undefined || parts.includes(null)) return null;
    const at = normal(axis, first);
    const along = parts.map((part) => part?.[at] ?? OPEN);
    const total = along.includes(OPEN) ? OPEN : along.reduce((sum, size) => sum + size, 0);
    return first.map((size, place) =>
      place === at ? total : size === OPEN ? Math.max(...parts.map((part) => part?.[place] ?? OPEN)) : size,
    );
  };

const split: Infer = (node, known) => {
  const whole = input(node, 1, known);
  const axis = number(node, 0, known);
  const count = intAttr(node, 'num_split', 1);
  const part =
    whole === null || axis === undefined
      ? null
      : whole.map((size, at) => (at === normal(axis, whole) && size > 0 ? size / count : size));
  return Array.from({ length: count }, () => part);
};

const splitV: Infer = (node, known) => {
  const whole = input(node, 0, known);
  const axis = number(node, 2, known);
  const lengths = sizes(node, 1, known);
  return Array.from({ length: intAttr(node, 'num_split', 1) }, (_, index) =>
    whole === null || axis === undefined ? null : whole.with(normal(axis, whole), lengths?.[index] ?? OPEN),
  );
};

/** Shapes of operations that put tensors together and take them apart. */
export const PART_SHAPES = [
  ...named('IdentityN', (node, known) => node.inputs.map((ref) => known.shape(ref))),
  ...named('Pack', pack),
  ...named('Unpack', unpack),
  ...named('ConcatV2', concat(-1)),
  ...named('Concat', concat(0)),
  ...named('Split', split),
  ...named('SplitV', splitV),
];
