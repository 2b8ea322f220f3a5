import { type GraphNode, inputOf } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import type { KnownGraph } from './known-graph.ts';

/** Depends on no request's values, and is the same for a single request and for a batch. */
export const SAME = 'same';
/** May depend on several requests. */
export const MIXED = 'mixed';
/** A truth that holds of a batch if and only if it holds of each of its requests. */
export const EVERY = 'every';

/** The first axis lies in the order of the requests; each row of a request has `count` places there, NaN if unknown. */
export interface Rows {
  readonly count: number;
}

/** A size: a number, NaN for an unknown one that is the same in every batch, or the number of rows times `count`. */
export type Size = number | Rows;

/** A scalar or a vector of sizes, some of them of first axes. */
export interface Sizes {
  readonly sizes: readonly Size[];
  readonly isScalar: boolean;
}

/** Relation of a tensor of a batch to the requests in it. */
export type Trace = typeof SAME | typeof MIXED | typeof EVERY | Rows | Sizes;

/** A rule's view of a node. */
export interface Traced {
  readonly node: GraphNode;
  readonly inputs: readonly Trace[];
  readonly known: KnownGraph;
}

/** Fate of the rows: one trace for all outputs, or one for each. */
export type RowRule = (traced: Traced) => Trace | readonly Trace[];

/** The trace of one output, of a trace for all or of one for each. */
export function traceOfOutput(found: Trace | readonly Trace[], index: number): Trace {
  const isOne = typeof found === 'string' || 'count' in found || 'sizes' in found;
  return isOne ? found : (found[index] ?? MIXED);
}

/** The first axis of a batch, on which each row takes up `count` places. */
export function rows(count: number): Rows {
  return { count };
}

/** Whether the trace follows the rows. */
export function isRows(trace: Trace | Size | undefined): trace is Rows {
  return typeof trace === 'object' && 'count' in trace;
}

/** Whether the trace is of sizes. */
export function isSizes(trace: Trace | undefined): trace is Sizes {
  return typeof trace === 'object' && 'sizes' in trace;
}

/** Shape of an input as far as the graph says it. */
export function shapeOf({ node, known }: Traced, index: number): Shape {
  return known.shape(inputOf(node, index));
}

/** Numbers of a constant input. */
export function numbersOf({ node, known }: Traced, index: number): readonly number[] | null {
  return known.numbers(inputOf(node, index));
}

/** Whether the axes are known and do not count the first one, of a tensor of `rank` axes. */
export function leavesFirst(axes: readonly number[] | null, rank: number | undefined): boolean {
  return (
    axes !== null &&
    axes.every((axis) => (axis > 0 ? true : rank !== undefined && axis < 0 && axis + rank > 0))
  );
}

/** Elements of an input that says sizes; undefined if not even their number is known. */
export function sizesOf(traced: Traced, index: number): readonly Size[] | undefined {
  const trace = traced.inputs[index];
  if (isSizes(trace)) return trace.sizes;
  if (trace !== SAME) return undefined;
  const numbers = numbersOf(traced, index);
  if (numbers !== null) return numbers;
  const shape = shapeOf(traced, index);
  const length = shape?.length === 0 ? 1 : (shape?.[0] ?? -1);
  return length < 0 ? undefined : new Array<number>(length).fill(NaN);
}

/** Whether the first of some sizes is a first axis's size, and no other is. */
export function leadsRows(sizes: readonly Size[] | undefined): sizes is readonly [Rows, ...number[]] {
  return sizes !== undefined && isRows(sizes[0]) && !sizes.slice(1).some(isRows);
}

/** The rows of the inputs, if there are any and all have as many places in each. */
export function common(inputs: readonly Trace[]): Trace {
  const [first, ...others] = inputs.filter(isRows);
  if (first === undefined || inputs.some((one) => one !== SAME && !isRows(one))) return MIXED;
  return others.every(({ count }) => count === first.count) ? first : MIXED;
}

/** An operation on each row of input `at`, which has at least `minRank` axes; its other inputs must be the same for all rows. */
export const along =
  (minRank = 0, at = 0): RowRule =>
  (traced) => {
    const rank = shapeOf(traced, at)?.length ?? (minRank === 0 ? 0 : -1);
    const others = traced.inputs.filter((_, index) => index !== at);
    if (rank < minRank || others.some((one) => one !== SAME)) return MIXED;
    return common([traced.inputs[at] ?? MIXED]);
  };

/** Rule of operations that work along the axes of input `at` on the first input. */
export const axes =
  (at: number): RowRule =>
  (traced) =>
    leavesFirst(numbersOf(traced, at), shapeOf(traced, 0)?.length) ? along()(traced) : MIXED;

/** One rule for each of the operations that a text names. */
export function named(operations: string, rule: RowRule): [string, RowRule][] {
  return operations.split(' ').map((operation) => [operation, rule]);
}
