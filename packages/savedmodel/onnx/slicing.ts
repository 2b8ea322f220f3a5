import { resolveSlice, type SliceItem } from '../host/strided-slice.ts';
import { type GraphNode, inputOf } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guardedEach } from './guard.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Family } from './operation.ts';

/** The end of the tensor in the slice's direction, whichever that is: onnxruntime knows this number. */
const TO_THE_END = 2 ** 31 - 1;
/** Larger than any size, and no more than that. */
const FAR = 2 ** 30;

/** One axis of ONNX's Slice; a bound is a number, or the name of a tensor of one element. */
interface AxisSlice {
  readonly axis: number;
  readonly begin: number | string;
  readonly end: number | string;
  readonly step: number;
}

/** A single index that is computed, as the name of a tensor of one element. */
interface ComputedIndex {
  readonly axis: number;
  readonly index: string;
}

interface SlicePlan {
  readonly slices: readonly AxisSlice[];
  readonly indices: readonly ComputedIndex[];
  /** Axes of the input that a single index takes away. */
  readonly dropped: readonly number[];
  /** Axes of the result that are new. */
  readonly added: readonly number[];
}

const stridedSlice: Converter = (node, conversion) => {
  const steps = conversion.numbersInput(node, 3);
  // Bounds that are computed count as 0 while the masks are read, and are put in their place below.
  const numbers = (index: number) => conversion.numbers(inputOf(node, index)) ?? steps.map(() => 0);
  const items = resolveSlice(node, numbers(1), numbers(2), steps);
  const computed = (index: number, place: number): string | undefined => {
    if (conversion.numbers(inputOf(node, index)) !== null) return undefined;
    const bounds = conversion.int64Input(node, index);
    return conversion.onnx.op('Gather', bounds, [place]);
  };
  const plan = planSlices(
    items.map((item, place) => ({ item, begin: computed(1, place), end: computed(2, place) })),
  );
  const input = conversion.input(node);
  const slices = [
    ...plan.slices.map((one) => beforeTheFirst(one, input, node, conversion)),
    ...plan.indices.map((one) => atComputedIndex(one, input, conversion.onnx)),
  ];
  conversion.set(node, applyPlan({ ...plan, slices }, input, conversion));
};

/** One element, counted from the end if the index is negative; an index outside fails the run, as in TensorFlow. */
function atComputedIndex({ axis, index }: ComputedIndex, input: string, onnx: OnnxGraph): AxisSlice {
  const size = onnx.op('Gather', onnx.shape(input), [axis]);
  const fromFront = onnx.op('Where', onnx.op('Less', index, [0]), onnx.op('Add', index, size), index);
  const fits = onnx.op('And', onnx.op('GreaterOrEqual', fromFront, [0]), onnx.op('Less', fromFront, size));
  const first = guardedEach(onnx, fromFront, fits, 'the index is out of range');
  return { axis, begin: first, end: onnx.op('Add', first, [1]), step: 1 };
}

/**
 * Backwards from before the first element, the slice is empty, but ONNX would begin with the first element. Such a slice is made to
 * stop at its start instead.
 */
function beforeTheFirst(slice: AxisSlice, input: string, node: GraphNode, conversion: Conversion): AxisSlice {
  const { axis, begin, step } = slice;
  if (step > 0 || (typeof begin === 'number' && begin >= 0)) return slice;
  const size = conversion.shape(inputOf(node, 0))?.at(axis) ?? -1;
  if (typeof begin === 'number' && size >= 0) return begin < -size ? { ...slice, end: FAR } : slice;
  const { onnx } = conversion;
  const length = onnx.op('Gather', onnx.shape(input), [axis]);
  const named = (bound: number | string) => (typeof bound === 'number' ? onnx.integers([bound]) : bound);
  const before = onnx.op('Less', onnx.op('Add', named(begin), length), [0]);
  return { ...slice, end: onnx.op('Where', before, [FAR], named(slice.end)) };
}

interface BoundedItem {
  readonly item: SliceItem;
  readonly begin: string | undefined;
  readonly end: string | undefined;
}

/** Axes before an ellipsis are counted from the front, those behind it from the back, as their number is not known. */
function planSlices(items: readonly BoundedItem[]): SlicePlan {
  const ellipsis = items.findIndex(({ item }) => item.kind === 'ellipsis');
  const slices: AxisSlice[] = [];
  const indices: ComputedIndex[] = [];
  const dropped: number[] = [];
  const added: number[] = [];
  const plan = (some: readonly BoundedItem[], firstAxis: number, firstPlace: number) => {
    let axis = firstAxis;
    let place = firstPlace;
    for (const { item, begin, end } of some) {
      if (item.kind === 'newAxis') added.push(place++);
      else if (item.kind === 'index') {
        const last = item.index === -1 ? TO_THE_END : item.index + 1;
        if (begin === undefined) slices.push({ axis, begin: item.index, end: last, step: 1 });
        else indices.push({ axis, index: begin });
        dropped.push(axis++);
      } else if (item.kind === 'range') {
        const backwards = item.step < 0;
        const first = item.begin === null ? (backwards ? TO_THE_END : 0) : (begin ?? item.begin);
        const last = item.end === null ? (backwards ? -TO_THE_END : TO_THE_END) : (end ?? item.end);
        slices.push({ axis: axis++, begin: first, end: last, step: item.step });
        place++;
      }
    }
  };
  if (ellipsis < 0) plan(items, 0, 0);
  else {
    const behind = items.slice(ellipsis + 1);
    const axes = behind.filter(({ item }) => item.kind === 'range' || item.kind === 'index').length;
    const places = behind.filter(({ item }) => item.kind === 'range' || item.kind === 'newAxis').length;
    plan(items.slice(0, ellipsis), 0, 0);
    plan(behind, -axes, -places);
  }
  return { slices, indices, dropped, added };
}

function applyPlan(
  { slices, dropped, added }: Omit<SlicePlan, 'indices'>,
  input: string,
  { onnx }: Conversion,
): string {
  const kept = slices.filter(({ begin, end, step }) => begin !== 0 || end !== TO_THE_END || step !== 1);
  const bounds = (values: readonly (number | string)[]) => {
    const given = values.filter((value) => typeof value === 'number');
    if (given.length === values.length) return onnx.integers(given);
    const each = values.map((value) => (typeof value === 'number' ? onnx.integers([value]) : value));
    return onnx.join(...each);
  };
  let result = input;
  if (kept.length > 0) {
    result = onnx.op(
      'Slice',
      result,
      bounds(kept.map(({ begin }) => begin)),
      bounds(kept.map(({ end }) => end)),
      kept.map(({ axis }) => axis),
      kept.map(({ step }) => step),
    );
  }
  if (dropped.length > 0) result = onnx.op('Squeeze', result, dropped);
  if (added.length > 0) result = onnx.op('Unsqueeze', result, added);
  return result;
}

const slice: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const begin = conversion.numbers(inputOf(node, 1));
  const size = conversion.numbers(inputOf(node, 2));
  const shape = conversion.shape(inputOf(node, 0));
  const inside = (first: number, axis: number) => {
    const [count = -1, whole = -1] = [size?.[axis], shape?.[axis]];
    return (first === 0 && count < 0) || (whole >= 0 && first + Math.max(count, 0) <= whole);
  };
  if (begin !== null && size !== null && begin.every(inside)) {
    const slices = begin.map((first, axis) => {
      const count = size[axis] ?? -1;
      return { axis, begin: first, end: count < 0 ? TO_THE_END : first + count, step: 1 };
    });
    conversion.set(node, applyPlan({ slices, dropped: [], added: [] }, conversion.input(node), conversion));
    return;
  }
  const input = conversion.input(node);
  if (shape?.length === 0 || conversion.shape(inputOf(node, 1))?.[0] === 0) {
    conversion.set(node, input);
    return;
  }
  const whole = onnx.shape(input);
  const [first, counts] = [conversion.int64Input(node, 1), conversion.int64Input(node, 2)];
  const open = onnx.op('Less', counts, 0);
  const end = onnx.op('Where', open, whole, onnx.op('Add', first, counts));
  // ONNX would take what there is.
  const fits = onnx.op(
    'And',
    onnx.op('GreaterOrEqual', first, 0),
    onnx.op('And', onnx.op('LessOrEqual', first, end), onnx.op('LessOrEqual', end, whole)),
  );
  const checked = guardedEach(onnx, first, fits, 'the slice reaches past the tensor');
  conversion.set(node, onnx.op('Slice', input, checked, end));
};

const stridedShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const [begin, end, steps] = [1, 2, 3].map((index) => known.numbers(index));
  if (whole === null || !steps) return null;
  // The remaining axes depend only on the masks.
  const unknown = steps.map(() => 0);
  const items = resolveSlice(known.node, begin ?? unknown, end ?? unknown, steps);
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

const sliceShape: ShapeRule = (known) => {
  const whole = known.shape(0);
  const counts = known.numbers(2);
  const begin = known.numbers(1);
  if (whole === null || counts === null) return whole && whole.map(() => OPEN);
  return whole.map((size, axis) => {
    const [count, first] = [counts[axis] ?? OPEN, begin?.[axis]];
    if (count >= 0) return count;
    return size < 0 || first === undefined ? OPEN : size - first;
  });
};

/** Operations that cut out a part by bounds. */
export const SLICINGS: Family = {
  title: 'Slices',
  takes: 'all element types; computed bounds',
  limits: [
    ['StridedSlice', 'computed steps are refused'],
    ['StridedSlice', 'a computed index out of range fails the request'],
  ],
  operations: { StridedSlice: [stridedSlice, stridedShape], Slice: [slice, sliceShape] },
};
