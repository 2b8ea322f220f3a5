import { type GraphNode, inputOf, intAttr, unsupported } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { allTrue, asserted } from './guard.ts';
import { fromFront, OPEN, type ShapeRule } from './known-tensors.ts';
import { alike, type Family } from './operation.ts';

/** Larger than any index, so that onnxruntime fails the run. */
export const NOWHERE = 2 ** 31 - 1;

/** ONNX counts negative indices from the end; TensorFlow fails the run on a CPU. */
export function placesOf(node: GraphNode, conversion: Conversion, index = 1): string {
  const { onnx } = conversion;
  const places = onnx.cast(conversion.input(node, index), 'int64');
  const known = conversion.numbers(inputOf(node, index));
  if (known?.every((place) => place >= 0) === true) return places;
  const negative = onnx.op('Less', places, 0);
  return onnx.op('Where', negative, NOWHERE, places);
}

/** `Gather` has no axis but the first, and `ResourceGather` none but the first behind its batch. */
function givenAxis(node: GraphNode, batch: number, conversion: Conversion): number {
  if (node.inputs.length > 2) return conversion.numbersInput(node, 2)[0] ?? 0;
  return node.op === 'ResourceGather' ? batch : 0;
}

const gather: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const indicesRank = conversion.shape(inputOf(node, 1))?.length;
  const batchGiven = intAttr(node, 'batch_dims');
  if (batchGiven < 0 && indicesRank === undefined) throw unsupported(node, `batch_dims ${batchGiven}`);
  const batch = batchGiven < 0 ? batchGiven + (indicesRank ?? 0) : batchGiven;
  const places = placesOf(node, conversion);
  const given = givenAxis(node, batch, conversion);
  if (batch === 0) {
    conversion.set(node, onnx.node('Gather', [conversion.input(node), places], { axis: given }));
    return;
  }
  const [axis = 0] = conversion.normalAxes(node, 0, [given]);
  if (axis < batch)
    throw new BrokenModel(`Node ${node.name} (${node.op}): axis ${axis}, batch_dims ${batch}`);
  requireSameBatch(node, conversion, places, batch);
  const listed = onnx.op('Unsqueeze', places, [-1]);
  const attributes = { batch_dims: batch };
  if (axis === batch) {
    conversion.set(node, onnx.node('GatherND', [conversion.input(node), listed], attributes));
    return;
  }
  // The gathered axis goes before those between it and the batch, and what is gathered back behind them.
  const rank = conversion.shape(inputOf(node, 0))?.length;
  if (rank === undefined || indicesRank === undefined)
    throw unsupported(node, `axis ${axis} and batch_dims ${batch} of a tensor of open rank`);
  const axes = Array.from({ length: rank }, (_, index) => index);
  const between = axes.slice(batch, axis);
  const first = [...axes.slice(0, batch), axis, ...between, ...axes.slice(axis + 1)];
  const gathered = onnx.node('GatherND', [onnx.transpose(conversion.input(node), first), listed], attributes);
  const inner = indicesRank - batch;
  const last = [
    ...axes.slice(0, batch),
    ...between.map((index) => index + inner),
    ...Array.from({ length: inner }, (_, index) => batch + index),
    ...axes.slice(axis + 1).map((index) => index + inner - 1),
  ];
  conversion.set(node, onnx.transpose(gathered, last));
};

/** Fails the run if tensor and indices differ in their batch: onnxruntime only requires one to be a multiple of the other. */
function requireSameBatch(node: GraphNode, conversion: Conversion, places: string, batch: number): void {
  const { onnx } = conversion;
  const [sizes, others] = [0, 1].map((index) => conversion.shape(inputOf(node, index))?.slice(0, batch));
  if (sizes?.every((size, axis) => size >= 0 && size === others?.[axis]) === true) return;
  const batchOf = (tensor: string) => onnx.op('Slice', onnx.shape(tensor), [0], [batch]);
  const isSame = onnx.op('Equal', batchOf(conversion.input(node)), batchOf(places));
  asserted(onnx, allTrue(onnx, isSame), 'the batches of tensor and indices differ');
}

const gatherNd: Converter = (node, conversion) => {
  const depth = conversion.shape(inputOf(node, 1))?.at(-1);
  const places = placesOf(node, conversion);
  if (depth === 0) throw unsupported(node, 'without indices');
  // TensorFlow fails when it needs one of the slices; ONNX gives slices without elements.
  const shape = conversion.shape(inputOf(node, 0));
  if (shape?.includes(0) === true) throw unsupported(node, 'of an empty tensor');
  const { onnx } = conversion;
  if (shape === null || depth === undefined || depth < 0 || !shape.slice(depth).every((size) => size > 0)) {
    const asked = onnx.op('Min', onnx.op('Size', places), 1);
    const isThere = onnx.op('LessOrEqual', asked, onnx.op('Size', conversion.input(node)));
    asserted(onnx, isThere, 'the tensor has no elements');
  }
  conversion.set(node, conversion.onnx.op('GatherND', conversion.input(node), places));
};

const gatheredShape: ShapeRule = (known) => {
  const [params, indices] = [known.shape(0), known.shape(1)];
  const batch = intAttr(known.node, 'batch_dims');
  const first = known.node.op === 'ResourceGather' ? batch : 0;
  const axis = known.node.inputs.length > 2 ? known.number(2) : first;
  if (params === null || indices === null || axis === undefined) return null;
  const inner = indices.slice(batch < 0 ? batch + indices.length : batch);
  return params.toSpliced(fromFront(axis, params), 1, ...inner);
};

const gatheredNdShape: ShapeRule = (known) => {
  const [params, indices] = [known.shape(0), known.shape(1)];
  const depth = indices?.at(-1) ?? OPEN;
  return params === null || indices === null || depth < 0
    ? null
    : [...indices.slice(0, -1), ...params.slice(depth)];
};

/** Operations that pick elements by index. */
export const GATHERINGS: Family = {
  title: 'Elements by index',
  takes: 'all element types; batch dimensions',
  limits: [
    ['GatherV2', 'the axis must be a constant'],
    ['GatherNd', 'indices of no numbers and empty tensors are refused'],
    ['', 'an index out of range fails the request, as in TensorFlow on a CPU'],
  ],
  operations: {
    ...alike('Gather GatherV2 ResourceGather', gather, gatheredShape),
    GatherNd: [gatherNd, gatheredNdShape],
  },
};
