import { type GraphNode, inputOf, intAttr, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { allTrue, guarded, guardedEach } from './guard.ts';
import { onKernel } from './kernels.ts';
import { OPEN, shapeLike, type ShapeRule } from './known-tensors.ts';
import type { Family } from './operation.ts';

/** The end of the tensor in a slice's direction: onnxruntime knows this number. */
const TO_THE_END = 2 ** 31 - 1;

const reverse: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const axes = conversion.normalAxes(node, 0, conversion.numbersInput(node, 1));
  // TensorFlow takes them for a tensor without elements, which only the run can tell.
  if (new Set(axes).size < axes.length) throw unsupported(node, `axes [${axes.join()}], which repeat one`);
  const { tensor, place, set } = conversion.asLaidOut(node);
  const each = (value: number) => onnx.integers(axes.map(() => value));
  const bounds = [each(TO_THE_END), each(-TO_THE_END), onnx.integers(axes.map(place)), each(-1)];
  set(axes.length === 0 ? tensor : onnx.op('Slice', tensor, ...bounds));
};

/** Each axis is gathered by its own indices, moved round: shifts may depend on the inputs, and so may sizes. */
const roll: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const axes = conversion.normalAxes(node, 0, conversion.numbersInput(node, 2));
  const { tensor, place, set } = conversion.asLaidOut(node);
  const shifts = onnx.op('Reshape', conversion.int64Input(node, 1), [axes.length]);
  set(
    axes.reduce((rolled, axis, index) => {
      const shift = onnx.op('Gather', shifts, index);
      const size = onnx.op('Gather', onnx.shape(rolled), place(axis));
      const places = onnx.op('Sub', onnx.op('Range', 0, size, 1), shift);
      // An empty axis has no indices, but its size would still be divided by.
      const from = onnx.op('Mod', places, onnx.op('Max', size, 1));
      return onnx.node('Gather', [rolled, from], { axis: place(axis) });
    }, tensor),
  );
};

/** Reverses the first `lengths` elements of each row of the batch along an axis; the rest stays. */
const reverseSequence: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const rank = conversion.shape(inputOf(node, 0))?.length;
  if (rank === undefined) throw unsupported(node, 'of open rank');
  const [along = 0] = conversion.normalAxes(node, 0, [intAttr(node, 'seq_dim')]);
  const [batch = 0] = conversion.normalAxes(node, 0, [intAttr(node, 'batch_dim')]);
  if (along === batch)
    throw new BrokenModel(`Node ${node.name} (${node.op}): batch_dim is seq_dim, ${along}`);
  const input = conversion.input(node);
  const shape = onnx.shape(input);
  const size = onnx.op('Gather', shape, along);
  const rows = onnx.op('Gather', shape, [batch]);
  const given = conversion.int64Input(node, 1);
  const isOne = onnx.op('Equal', onnx.shape(given), rows);
  const inside = onnx.op('And', onnx.op('GreaterOrEqual', given, 0), onnx.op('LessOrEqual', given, size));
  const lengths = guardedEach(onnx, given, onnx.join(isOne, inside), 'the lengths do not fit the sequences');
  const alone = (axis: number) =>
    onnx.integers(Array.from({ length: rank }, (_, at) => (at === axis ? -1 : 1)));
  const places = onnx.op('Reshape', onnx.op('Range', 0, size, 1), alone(along));
  const lasts = onnx.op('Sub', onnx.op('Reshape', lengths, alone(batch)), 1);
  const mirrored = onnx.op('Sub', lasts, places);
  const from = onnx.op('Where', onnx.op('LessOrEqual', places, lasts), mirrored, places);
  conversion.set(node, onnx.node('GatherElements', [input, onnx.op('Expand', from, shape)], { axis: along }));
};

/** Blocks of the axes behind the batch, and how many axes there are in all. */
function blocksOf(node: GraphNode, conversion: Conversion) {
  const blocks = conversion.numbersInput(node, 1);
  const rank = conversion.shape(inputOf(node, 0))?.length;
  if (rank === undefined) throw unsupported(node, 'of open rank');
  if (blocks.some((size) => size < 1) || blocks.length >= rank)
    throw new BrokenModel(`Node ${node.name} (${node.op}): blocks [${blocks.join()}] of rank ${rank}`);
  return { blocks, rank };
}

/** Paddings or crops as all befores and all afters, for the axes of the blocks. */
function marginsOf(node: GraphNode, conversion: Conversion, count: number) {
  const { onnx } = conversion;
  const given = conversion.int64Input(node, 2);
  const fits = allTrue(onnx, onnx.op('GreaterOrEqual', given, 0));
  const known = conversion.numbers(inputOf(node, 2));
  const isFine = known?.every((margin) => margin >= 0) === true;
  const margins = isFine ? given : guarded(onnx, given, fits, 'a margin is negative');
  const flat = onnx.op('Reshape', onnx.transpose(margins, [1, 0]), [-1]);
  const part = (from: number) => onnx.op('Slice', flat, [from], [from + count]);
  return { before: part(0), after: part(count) };
}

const spaceToBatch: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const { blocks, rank } = blocksOf(node, conversion);
  const count = blocks.length;
  const { before, after } = marginsOf(node, conversion, count);
  const rest = onnx.integers(new Array<number>(rank - count - 1).fill(0));
  const pads = onnx.join([0], before, rest, [0], after, rest);
  const dtype = typeAttr(node, 'T', 'float32');
  const padded = onKernel(node, onnx, 'Pad', dtype, [conversion.input(node)], ([carried = '']) =>
    onnx.op('Pad', carried, pads),
  );
  const shape = onnx.shape(padded);
  const part = (from: number, to: number) => onnx.op('Slice', shape, [from], [to]);
  const tiles = onnx.op('Div', part(1, count + 1), blocks);
  const tile = (axis: number) => onnx.op('Gather', tiles, [axis]);
  const behind = part(count + 1, rank);
  const cut = [part(0, 1), ...blocks.flatMap((block, axis) => [tile(axis), onnx.integers([block])]), behind];
  // batch, then tiles and blocks by turns, then the rest
  const order = [
    ...blocks.map((_, axis) => 2 * axis + 2),
    0,
    ...blocks.map((_, axis) => 2 * axis + 1),
    ...Array.from({ length: rank - count - 1 }, (_, axis) => 2 * count + 1 + axis),
  ];
  const all = blocks.reduce((total, size) => total * size, 1);
  const batch = onnx.op('Mul', part(0, 1), [all]);
  const join = (sizes: readonly string[]) => onnx.join(...sizes);
  const moved = onnx.transpose(onnx.reshape(padded, join(cut)), order);
  conversion.set(node, onnx.reshape(moved, join([batch, tiles, behind])));
};

const batchToSpace: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const { blocks, rank } = blocksOf(node, conversion);
  const count = blocks.length;
  const input = conversion.input(node);
  const shape = onnx.shape(input);
  const part = (from: number, to: number) => onnx.op('Slice', shape, [from], [to]);
  const join = (sizes: readonly string[]) => onnx.join(...sizes);
  const all = blocks.reduce((total, size) => total * size, 1);
  const batch = onnx.op('Div', part(0, 1), [all]);
  const behind = part(count + 1, rank);
  const cut = join([onnx.integers(blocks), batch, part(1, count + 1), behind]);
  const order = [
    count,
    ...blocks.flatMap((_, axis) => [count + 1 + axis, axis]),
    ...Array.from({ length: rank - count - 1 }, (_, axis) => 2 * count + 1 + axis),
  ];
  const moved = onnx.transpose(onnx.reshape(input, cut), order);
  const sizes = onnx.op('Mul', part(1, count + 1), blocks);
  const whole = onnx.reshape(moved, join([batch, sizes, behind]));
  const { before, after } = marginsOf(node, conversion, count);
  const end = onnx.op('Sub', sizes, after);
  const first = guardedEach(onnx, before, onnx.op('LessOrEqual', before, end), 'the crops exceed the tensor');
  const axes = onnx.integers(blocks.map((_, axis) => axis + 1));
  conversion.set(node, onnx.op('Slice', whole, first, end, axes));
};

const spaceToBatchShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const blocks = known.sizes(1);
  const paddings = known.numbers(2);
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

const batchToSpaceShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const blocks = known.sizes(1);
  const crops = known.numbers(2);
  if (whole === null || blocks === null) return null;
  const count = blocks.includes(OPEN) ? OPEN : blocks.reduce((total, size) => total * size, 1);
  return whole.map((size, axis) => {
    if (size < 0 || axis > blocks.length) return size;
    if (axis === 0) return count <= 0 ? OPEN : Math.floor(size / count);
    const [block = OPEN, before, after] = [blocks[axis - 1], crops?.[2 * axis - 2], crops?.[2 * axis - 1]];
    return block < 0 || before === undefined || after === undefined ? OPEN : size * block - before - after;
  });
};

/** Operations that move elements, and compute none. */
export const REARRANGEMENTS: Family = {
  title: 'Elements moved',
  takes: 'all element types',
  limits: [
    ['ReverseV2 Roll', 'the axes must be constants'],
    ['SpaceToBatchND BatchToSpaceND', 'the blocks must be constants'],
    ['ReverseSequence SpaceToBatchND BatchToSpaceND', 'the rank must be known'],
  ],
  operations: {
    ReverseV2: [reverse, shapeLike(0)],
    Roll: [roll, shapeLike(0)],
    ReverseSequence: [reverseSequence, shapeLike(0)],
    SpaceToBatchND: [spaceToBatch, spaceToBatchShape],
    BatchToSpaceND: [batchToSpace, batchToSpaceShape],
  },
};
