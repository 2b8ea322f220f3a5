import { boolAttr } from '../savedmodel/graph-node.ts';
import { type Infer, input, like, named, number, OPEN, sizes } from './known-tensors.ts';

const unsortedSegments: Infer = (node, known) => {
  const [data, ids] = [input(node, 0, known), input(node, 1, known)];
  return data && ids && [number(node, 2, known) ?? OPEN, ...data.slice(ids.length)];
};

const sortedSegments: Infer = (node, known) => {
  const data = input(node, 0, known);
  return data && [OPEN, ...data.slice(1)];
};

const bincount: Infer = (node, known) => {
  const given = input(node, 0, known);
  const size = number(node, 1, known) ?? OPEN;
  if (given === null) return null;
  return node.op === 'DenseBincount' && given.length === 2 ? [given[0] ?? OPEN, size] : [size];
};

/** One row an element that is not zero. */
const where: Infer = (node, known) => [OPEN, input(node, 0, known)?.length ?? OPEN];

const unique: Infer = () => [[OPEN], [OPEN], [OPEN]];

const selected: Infer = (node, known) => {
  const most = number(node, 2, known);
  const isPadded = boolAttr(node, 'pad_to_max_output_size');
  const kept = [isPadded && most !== undefined ? most : OPEN];
  if (node.op === 'NonMaxSuppressionV4') return [kept, []];
  return node.op === 'NonMaxSuppressionV5' ? [kept, kept, []] : kept;
};

const combined: Infer = (node, known) => {
  const batch = input(node, 0, known)?.[0] ?? OPEN;
  const total = number(node, 3, known) ?? OPEN;
  const most = boolAttr(node, 'pad_per_class') ? OPEN : total;
  return [[batch, most, 4], [batch, most], [batch, most], [batch]];
};

const linSpace: Infer = (node, known) => [number(node, 2, known) ?? OPEN];

/** Shapes of what scattering.ts, selecting.ts and suppression.ts convert. */
export const SCATTERED_SHAPES = [
  ...named(
    'TensorScatterUpdate TensorScatterAdd TensorScatterSub TensorScatterMax TensorScatterMin',
    like(0),
  ),
  ...named('ScatterNd', (node, known) => sizes(node, 2, known)),
  ...named('UnsortedSegmentSum UnsortedSegmentProd UnsortedSegmentMax UnsortedSegmentMin', unsortedSegments),
  ...named(
    'SegmentSum SegmentProd SegmentMax SegmentMin SegmentMean SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN',
    sortedSegments,
  ),
  ...named('Bincount DenseBincount', bincount),
  ...named('Bucketize', like(0)),
  ...named('Where', where),
  ...named('Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2', unique),
  ...named(
    'NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4 NonMaxSuppressionV5',
    selected,
  ),
  ...named('CombinedNonMaxSuppression', combined),
  ...named('LinSpace', linSpace),
];
