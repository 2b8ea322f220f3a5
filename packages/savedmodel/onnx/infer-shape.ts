import type { GraphNode } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { IMAGE_SHAPES } from './image-shapes.ts';
import { broadcastAll, type Infer, type KnownTensors, like, named } from './known-tensors.ts';
import { LAYOUT_SHAPES } from './layout-shapes.ts';
import { LIST_SHAPES } from './list-shapes.ts';
import { PART_SHAPES } from './part-shapes.ts';
import { REARRANGED_SHAPES } from './rearranged-shapes.ts';
import { REDUCED_SHAPES } from './reduced-shapes.ts';
import { SCATTERED_SHAPES } from './scattered-shapes.ts';
import { SLICE_SHAPES } from './slice-shapes.ts';
import { VOLUME_SHAPES } from './volume-shapes.ts';
import { WINDOW_SHAPES } from './window-shapes.ts';

/**
 * Shapes of a node's outputs as far as the graph determines them: null for an unknown rank, -1 for an unknown size. Mismatches
 * are not errors here; they are found when the graph runs.
 */
export function inferShapes(node: GraphNode, known: KnownTensors): readonly Shape[] {
  if (node.value !== undefined) return [node.value.shape];
  const inferred = INFERENCES.get(node.op)?.(node, known) ?? null;
  return isList(inferred) ? inferred : [inferred];
}

function isList(inferred: Shape | readonly Shape[]): inferred is readonly Shape[] {
  return inferred !== null && inferred.some((item) => typeof item !== 'number');
}

const INFERENCES: ReadonlyMap<string, Infer> = new Map([
  ...LIST_SHAPES,
  ...WINDOW_SHAPES,
  ...REDUCED_SHAPES,
  ...LAYOUT_SHAPES,
  ...PART_SHAPES,
  ...SLICE_SHAPES,
  ...IMAGE_SHAPES,
  ...REARRANGED_SHAPES,
  ...SCATTERED_SHAPES,
  ...VOLUME_SHAPES,
  ...named(
    'FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel Bitcast',
    like(0),
  ),
  ...named('Identity StopGradient PreventGradient Snapshot CheckNumerics Cast ZerosLike OnesLike', like(0)),
  ...named(
    'Relu Relu6 LeakyRelu Elu Selu Sigmoid Softplus Softsign Tanh Sin Cos Exp Log Log1p Sqrt Rsqrt',
    like(0),
  ),
  ...named(
    'Reciprocal Inv Square Neg Abs Sign Floor Ceil Round Rint Erf Erfc IsNan IsInf LogicalNot',
    like(0),
  ),
  ...named(
    'FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 LRN Softmax LogSoftmax Cumsum Cumprod BiasAdd',
    like(0),
  ),
  ...named('Add AddV2 AddN Sub Mul RealDiv Div DivNoNan FloorDiv FloorMod Maximum Minimum Pow', broadcastAll),
  ...named(
    'SquaredDifference Less LessEqual Greater GreaterEqual Equal NotEqual LogicalAnd LogicalOr',
    broadcastAll,
  ),
  ...named('SelectV2 ClipByValue', broadcastAll),
  ...named('Select', like(1)),
  ...named('Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Expm1 IsFinite Invert', like(0)),
  ...named('Atan2 Xlogy Xlog1py Xdivy MulNoNan BitwiseAnd BitwiseOr BitwiseXor', broadcastAll),
]);
