import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { bincount, bincountShape } from './bincount.ts';
import type { Conversion, Converter } from './conversion.ts';
import { placesOf } from './gathering.ts';
import { refuseNaN } from './guard.ts';
import { OPEN, shapeLike, type ShapeRule } from './known-tensors.ts';
import { alike, type Family, shaped } from './operation.ts';
import { pickedSegments, sortedSegments, unsortedSegments } from './segments.ts';

type Reduction = 'none' | 'add' | 'mul' | 'max' | 'min';

/** Indices with rows that address elements or parts of the tensor. @throws {UnsupportedModel} if a row is empty */
function placesIn(node: GraphNode, conversion: Conversion, index: number): string {
  if (conversion.shape(inputOf(node, index))?.at(-1) === 0) throw unsupported(node, 'without indices');
  return placesOf(node, conversion, index);
}

const tensorScatter =
  (reduction: Reduction, sign: 1 | -1 = 1): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const places = placesIn(node, conversion, 1);
    const given = conversion.input(node, 2);
    const updates = sign === 1 ? given : onnx.node('Sub', [conversion.scalar(node, 0), given]);
    if (reduction === 'max' || reduction === 'min')
      refuseNaN(onnx, typeAttr(node, 'T', 'float32'), conversion.input(node), updates);
    conversion.set(node, onnx.node('ScatterND', [conversion.input(node), places, updates], { reduction }));
  };

/** Zeros of a given shape, to which updates are added. */
const scatterNd: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const places = placesIn(node, conversion, 0);
  const zeros = onnx.node('Expand', [conversion.scalar(node, 0), conversion.int64Input(node, 2)]);
  const reduction = typeAttr(node, 'T', 'float32') === 'bool' ? 'none' : 'add';
  conversion.set(node, onnx.node('ScatterND', [zeros, places, conversion.input(node, 1)], { reduction }));
};

const unsortedShape: ShapeRule = (known) => {
  const [data, ids] = [known.shape(0), known.shape(1)];
  return data && ids && [known.number(2) ?? OPEN, ...data.slice(ids.length)];
};

const sortedShape: ShapeRule = (known) => {
  const data = known.shape(0);
  return data && [OPEN, ...data.slice(1)];
};

/** Operations that send elements where indices say. */
export const SCATTERINGS: Family = {
  title: 'Elements sent by index, segments, counts',
  takes: 'all numbers',
  limits: [
    ['SegmentMean SparseSegmentMean SparseSegmentSqrtN', 'floats'],
    [
      'SegmentMax SegmentMin UnsortedSegmentMax UnsortedSegmentMin TensorScatterMax TensorScatterMin',
      'NaN fails the request: what TensorFlow makes of it depends on the order',
    ],
    ['SegmentMax SegmentMin', 'float32, float64, int32, int64'],
    ['Bincount DenseBincount', 'the size of the weights must be known'],
    ['', 'an index out of range fails the request, as in TensorFlow on a CPU'],
  ],
  operations: {
    ...shaped(shapeLike(0), {
      TensorScatterUpdate: tensorScatter('none'),
      TensorScatterAdd: tensorScatter('add'),
      TensorScatterSub: tensorScatter('add', -1),
      TensorScatterMax: tensorScatter('max'),
      TensorScatterMin: tensorScatter('min'),
    }),
    ScatterNd: [scatterNd, (known) => known.sizes(2)],
    ...shaped(unsortedShape, {
      UnsortedSegmentSum: unsortedSegments('Sum'),
      UnsortedSegmentProd: unsortedSegments('Prod'),
      UnsortedSegmentMax: unsortedSegments('Max'),
      UnsortedSegmentMin: unsortedSegments('Min'),
    }),
    ...shaped(sortedShape, {
      SegmentSum: sortedSegments('Sum'),
      SegmentProd: sortedSegments('Prod'),
      SegmentMax: sortedSegments('Max'),
      SegmentMin: sortedSegments('Min'),
      SegmentMean: sortedSegments('Mean'),
      SparseSegmentSum: pickedSegments('Sum'),
      SparseSegmentMean: pickedSegments('Mean'),
      SparseSegmentSqrtN: pickedSegments('SqrtN'),
    }),
    ...alike('Bincount DenseBincount', bincount, bincountShape),
  },
};
