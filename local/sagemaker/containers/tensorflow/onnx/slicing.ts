import { inputOf, unsupported } from '../savedmodel/graph-node.ts';
import { resolveSlice, type SliceItem } from '../host/strided-slice.ts';
import type { Conversion, Converter } from './conversion.ts';

/** Larger than any size: ONNX cuts a slice at the tensor's end. */
const TO_THE_END = 2 ** 31 - 1;

/** One axis of ONNX's Slice; a bound is a number, or the name of a tensor of one element. */
interface AxisSlice {
  readonly axis: number;
  readonly begin: number | string;
  readonly end: number | string;
  readonly step: number;
}

interface SlicePlan {
  readonly slices: readonly AxisSlice[];
  /** Axes of the input that a single index takes away. */
  readonly dropped: readonly number[];
  /** Axes of the result that are new. */
  readonly added: readonly number[];
}

const stridedSlice: Converter = (node, conversion) => {
  const steps = Array.from(conversion.constantInput(node, 3).data);
  // Bounds that are computed count as 0 while the masks are read, and are put in their place below.
  const numbers = (index: number) => {
    const constant = conversion.constant(inputOf(node, index));
    return constant === undefined ? steps.map(() => 0) : Array.from(constant.data);
  };
  const items = resolveSlice(node, numbers(1), numbers(2), steps);
  const computed = (index: number, place: number): string | undefined => {
    if (conversion.constant(inputOf(node, index)) !== undefined) return undefined;
    const bounds = conversion.int64Input(node, index);
    return conversion.onnx.node('Gather', [bounds, conversion.onnx.integers([place])]);
  };
  const bounded = items.map((item, place) => ({ item, begin: computed(1, place), end: computed(2, place) }));
  if (bounded.some(({ item, begin }) => item.kind === 'index' && begin !== undefined)) {
    throw unsupported(node, 'computed index');
  }
  const plan = planSlices(bounded);
  conversion.set(node, applyPlan(plan, conversion.input(node), conversion));
};

interface BoundedItem {
  readonly item: SliceItem;
  readonly begin: string | undefined;
  readonly end: string | undefined;
}

/** Axes before an ellipsis are counted from the front, those behind it from the back, as their number is not known. */
function planSlices(items: readonly BoundedItem[]): SlicePlan {
  const ellipsis = items.findIndex(({ item }) => item.kind === 'ellipsis');
  const slices: AxisSlice[] = [];
  const dropped: number[] = [];
  const added: number[] = [];
  const plan = (some: readonly BoundedItem[], firstAxis: number, firstPlace: number) => {
    let axis = firstAxis;
    let place = firstPlace;
    for (const { item, begin, end } of some) {
      if (item.kind === 'newAxis') added.push(place++);
      else if (item.kind === 'index') {
        slices.push({
          axis,
          begin: item.index,
          end: item.index === -1 ? TO_THE_END : item.index + 1,
          step: 1,
        });
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
  return { slices, dropped, added };
}

function applyPlan({ slices, dropped, added }: SlicePlan, input: string, { onnx }: Conversion): string {
  const kept = slices.filter(({ begin, end, step }) => begin !== 0 || end !== TO_THE_END || step !== 1);
  const bounds = (values: readonly (number | string)[]) => {
    const given = values.filter((value) => typeof value === 'number');
    if (given.length === values.length) return onnx.integers(given);
    const each = values.map((value) => (typeof value === 'number' ? onnx.integers([value]) : value));
    return onnx.node('Concat', each, { axis: 0 });
  };
  let result = input;
  if (kept.length > 0) {
    result = onnx.node('Slice', [
      result,
      bounds(kept.map(({ begin }) => begin)),
      bounds(kept.map(({ end }) => end)),
      onnx.integers(kept.map(({ axis }) => axis)),
      onnx.integers(kept.map(({ step }) => step)),
    ]);
  }
  if (dropped.length > 0) result = onnx.node('Squeeze', [result, onnx.integers(dropped)]);
  if (added.length > 0) result = onnx.node('Unsqueeze', [result, onnx.integers(added)]);
  return result;
}

const slice: Converter = (node, conversion) => {
  const begin = Array.from(conversion.constantInput(node, 1).data);
  const size = Array.from(conversion.constantInput(node, 2).data);
  const slices = begin.map((first, axis) => {
    const count = size[axis] ?? -1;
    return { axis, begin: first, end: count < 0 ? TO_THE_END : first + count, step: 1 };
  });
  conversion.set(node, applyPlan({ slices, dropped: [], added: [] }, conversion.input(node), conversion));
};

/** Operations that cut out a part by bounds. */
export const SLICINGS: Readonly<Record<string, Converter>> = { StridedSlice: stridedSlice, Slice: slice };
