import { intAttr, type GraphNode, type TensorRef } from '../savedmodel/graph-node.ts';
import type { Conversion } from './conversion.ts';

const KEEP_CHANNELS: ReadonlySet<string> = new Set(
  [
    'MaxPool AvgPool Relu Relu6 LeakyRelu Elu Selu Sigmoid Tanh Softplus Erf Erfc Identity Cast Square Sqrt Rsqrt Neg Abs',
    'FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 LRN ResizeBilinear ResizeNearestNeighbor Pad PadV2 MirrorPad',
    'EnsureShape StopGradient BiasAdd Add AddV2 Sub Mul RealDiv Maximum Minimum SquaredDifference',
  ].flatMap((names) => names.split(' ')),
);

/**
 * How many channels an image has, as far as the graph says so; a convolution in groups cannot be told from a plain one
 * without it. Follows the tensor back to the last convolution or to the model's input.
 */
export function channelCount(ref: TensorRef, conversion: Conversion): number | undefined {
  let current: TensorRef | undefined = ref;
  for (let hops = 0; current !== undefined && hops < 1000; hops++) {
    const node: GraphNode | undefined = conversion.node(current);
    if (node === undefined) return undefined;
    const [first, second] = node.inputs;
    const filter = second && conversion.constant(second)?.shape;
    if (node.op === 'Conv2D') return filter?.[3];
    if (node.op === 'DepthwiseConv2dNative') return (filter?.[2] ?? 0) * (filter?.[3] ?? 0) || undefined;
    if (node.op === 'Placeholder') return positive(conversion.inputShape(current)?.[3]);
    const declared = positive(node.attributes.get('shape')?.shape?.[3]);
    if (node.op === 'EnsureShape' && declared !== undefined) return declared;
    if (node.op === 'ConcatV2') {
      const axis = node.inputs.at(-1) && conversion.constant(node.inputs.at(-1) ?? current)?.data[0];
      if (axis !== 3 && axis !== -1) return undefined;
      const counts = node.inputs.slice(0, -1).map((input) => channelCount(input, conversion) ?? NaN);
      const sum = counts.reduce((total, count) => total + count, 0);
      return Number.isNaN(sum) ? undefined : sum;
    }
    if (node.op === 'Split') {
      const whole = second && channelCount(second, conversion);
      return whole === undefined ? undefined : whole / intAttr(node, 'num_split', 1);
    }
    if (!KEEP_CHANNELS.has(node.op)) return undefined;
    // In x·w + b the constant may come first.
    current = first !== undefined && conversion.constant(first) === undefined ? first : second;
  }
  return undefined;
}

function positive(size: number | undefined): number | undefined {
  return size !== undefined && size > 0 ? size : undefined;
}
