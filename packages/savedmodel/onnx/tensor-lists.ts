import { boolAttr, type GraphNode, inputOf, typeAttr } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guarded, guardedEach, nonNegative } from './guard.ts';
import { KnownInputs, OPEN, scalarShape, shapeLike } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Operation } from './operation.ts';

/**
 * A list of tensors is one tensor with the list as its first axis. If the elements' shape isn't known before the first is written,
 * it gets a rank that no other tensor has.
 */
const RANK_UNWRITTEN = 20;

/** The node's statement on its elements' shape: a vector of sizes, or -1 for any rank. */
function elementShape(known: KnownInputs, index: number): Shape {
  return known.shape(index)?.length === 1 ? known.sizes(index) : null;
}

const fromTensor: Converter = (node, conversion) => {
  conversion.setList(node, conversion.input(node), typeAttr(node, 'element_dtype'));
};

/** Zeros, which TensorFlow uses for elements that are never written. */
function unwritten(
  conversion: Conversion,
  dtype: DType,
  count: string,
  elements: readonly number[] | null,
): string {
  const { onnx } = conversion;
  const isKnown = elements !== null && elements.every((size) => size >= 0);
  const rest = isKnown ? elements : new Array<number>(RANK_UNWRITTEN - 1).fill(1);
  const shape = onnx.join(count, rest);
  return onnx.op('Expand', onnx.scalar(dtype, 0), shape);
}

const reserve: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'element_dtype');
  const count = onnx.op('Reshape', conversion.int64Input(node, 1), [1]);
  const elements = elementShape(new KnownInputs(node, conversion), 0);
  conversion.setList(node, unwritten(conversion, dtype, count, elements), dtype);
};

const emptyList: Converter = (node, conversion) => {
  const dtype = typeAttr(node, 'element_dtype');
  const elements = elementShape(new KnownInputs(node, conversion), 0);
  conversion.setList(node, unwritten(conversion, dtype, conversion.onnx.integers([0]), elements), dtype);
};

function lengthOf(onnx: OnnxGraph, list: string): string {
  return onnx.node('Shape', [list], { start: 0, end: 1 });
}

function isUnwritten(onnx: OnnxGraph, list: string): string {
  const rank = onnx.op('Size', onnx.shape(list));
  return onnx.op('Equal', rank, RANK_UNWRITTEN);
}

/** The list with `length` zeros of the element's shape where nothing has been written yet. */
function writable(onnx: OnnxGraph, list: string, element: string, dtype: DType): string {
  const zeros = onnx.inner();
  const sizes = zeros.join(lengthOf(zeros, list), zeros.shape(element));
  zeros.innerOutput(zeros.op('Expand', zeros.scalar(dtype, 0), sizes), dtype);
  const same = onnx.inner();
  same.innerOutput(list, dtype);
  return onnx.node('If', [isUnwritten(onnx, list)], {
    then_branch: { graph: zeros },
    else_branch: { graph: same },
  });
}

/** A list that is read from. */
function written(conversion: Conversion, list: string, shape: readonly number[] | null): string {
  if (shape !== null && shape.every((size) => size >= 0)) return list;
  const { onnx } = conversion;
  const known = onnx.op('Not', isUnwritten(onnx, list));
  return guarded(
    onnx,
    list,
    known,
    'nothing has been written into the list, and its elements have an open shape',
  );
}

/** Input 1, the place in a list. */
function indexInto(node: GraphNode, conversion: Conversion): string {
  return nonNegative(conversion.onnx, conversion.int64Input(node, 1), 'the index into the list is negative');
}

const setItem: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'element_dtype');
  const item = conversion.input(node, 2);
  const index = indexInto(node, conversion);
  let list = writable(onnx, conversion.input(node), item, dtype);
  if (boolAttr(node, 'resize_if_index_out_of_bounds')) list = grown(onnx, list, index, item, dtype);
  const place = onnx.op('Reshape', index, [1, 1]);
  const row = onnx.op('Unsqueeze', item, [0]);
  conversion.setList(node, onnx.op('ScatterND', list, place, row), dtype);
};

/** The list, long enough for an index. */
function grown(onnx: OnnxGraph, list: string, index: string, item: string, dtype: DType): string {
  const wanted = onnx.op('Add', onnx.op('Reshape', index, [1]), [1]);
  const more = onnx.op('Max', onnx.op('Sub', wanted, lengthOf(onnx, list)), [0]);
  const sizes = onnx.join(more, onnx.shape(item));
  return onnx.join(list, onnx.op('Expand', onnx.scalar(dtype, 0), sizes));
}

/** The list as a loop has listed it, one element a turn, with zeros up to the length that it was to have. */
export function listedByLoop(
  conversion: Conversion,
  listed: string,
  reserved: string,
  dtype: DType,
  canGrow: boolean,
): string {
  const { onnx } = conversion;
  const [count, wanted] = [lengthOf(onnx, listed), lengthOf(onnx, reserved)];
  const fits = onnx.op('Greater', count, [0]);
  let list = guardedEach(onnx, listed, fits, 'the loop does not run, so the shape of its list is open');
  if (!canGrow) {
    const fits = onnx.op('LessOrEqual', count, wanted);
    list = guardedEach(onnx, list, fits, 'the loop writes behind the end of the list');
  }
  const more = onnx.op('Max', onnx.op('Sub', wanted, count), [0]);
  const element = onnx.node('Shape', [list], { start: 1 });
  const sizes = onnx.join(more, element);
  return onnx.join(list, onnx.op('Expand', onnx.scalar(dtype, 0), sizes));
}

const pushBack: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'element_dtype');
  const item = conversion.input(node, 1);
  const list = writable(onnx, conversion.input(node), item, dtype);
  const row = onnx.op('Unsqueeze', item, [0]);
  conversion.setList(node, onnx.join(list, row), dtype);
};

const read: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const list = written(conversion, conversion.input(node), conversion.shape(inputOf(node, 0)));
  const index = indexInto(node, conversion);
  conversion.set(node, onnx.node('Gather', [list, index], { axis: 0 }));
};

const stack: Converter = (node, conversion) => {
  const shape = conversion.shape(inputOf(node, 0));
  conversion.set(node, written(conversion, conversion.input(node), shape));
};

const length: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const count = onnx.op('Squeeze', lengthOf(onnx, conversion.input(node)), [0]);
  conversion.set(node, onnx.cast(count, 'int32'));
};

/** Shape of the elements, from list and node together. */
function elementsShape(known: KnownInputs, index: number): Shape {
  const own = known.shape(0)?.slice(1) ?? null;
  const said = elementShape(known, index);
  if (own?.length !== said?.length) return own ?? said;
  return own === null ? said : own.map((size, axis) => (size < 0 ? (said?.[axis] ?? OPEN) : size));
}

const listOf = (count: number | undefined, element: Shape): Shape => element && [count ?? OPEN, ...element];

/** Operations on lists of tensors of one shape. */
export const TENSOR_LISTS: Readonly<Record<string, Operation>> = {
  TensorListFromTensor: [fromTensor, shapeLike(0)],
  TensorListReserve: [reserve, (known) => listOf(known.number(1), elementShape(known, 0))],
  EmptyTensorList: [emptyList, (known) => listOf(OPEN, elementShape(known, 0))],
  TensorListSetItem: [setItem, (known) => listOf(known.shape(0)?.[0], known.shape(2))],
  TensorListPushBack: [pushBack, (known) => listOf(OPEN, known.shape(1))],
  TensorListGetItem: [read, (known) => elementsShape(known, 2)],
  TensorListGather: [read, (known) => listOf(known.shape(1)?.[0], elementsShape(known, 2))],
  TensorListStack: [stack, (known) => listOf(known.shape(0)?.[0], elementsShape(known, 1))],
  TensorListLength: [length, scalarShape],
};
