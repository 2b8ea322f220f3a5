import { BFLOAT16 } from '../savedmodel/bfloat16.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';

/** Operations with results of another type than their inputs. */
const OF_ANOTHER_TYPE: ReadonlySet<string> = new Set(
  (
    'Equal NotEqual Less LessEqual Greater GreaterEqual IsNan IsInf IsFinite ArgMax ArgMin Shape ShapeN Size Rank Where ' +
    'Bucketize NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4 NonMaxSuppressionV5'
  ).split(' '),
);

/** Operations that move elements or choose among them: their results need no rounding. */
const EXACT: ReadonlySet<string> = new Set(
  (
    'BroadcastTo Concat ConcatV2 Const DepthToSpace EnsureShape ExpandDims Gather GatherNd GatherV2 Identity IdentityN Max MaxPool ' +
    'Maximum Min Minimum MirrorPad Neg Pack Pad PadV2 Placeholder PreventGradient Relu Reshape ReverseV2 Select SelectV2 Slice ' +
    'Snapshot SpaceToDepth Split SplitV Squeeze StopGradient StridedSlice Tile Transpose Unpack'
  ).split(' '),
);

/** Operations with several results of the type that they work on. */
const SEVERAL: ReadonlySet<string> = new Set(['Unique', 'UniqueV2']);

/** Whether the node's output is of bfloat16 and has been computed, so that it must be rounded. */
export function isRoundedToBfloat16(
  { op, attributes }: Pick<GraphNode, 'op' | 'attributes'>,
  index = 0,
): boolean {
  if (EXACT.has(op) || OF_ANOTHER_TYPE.has(op) || (index > 0 && !SEVERAL.has(op))) return false;
  const type = ['DstT', 'T', 'dtype', 'Tparams', 'Tout'].map((name) => attributes.get(name)?.type);
  return type.find((number) => number !== undefined) === BFLOAT16;
}
