import { intAttr, intsAttr, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';

const reshape: Converter = (node, conversion) => {
  const target = conversion.int64Input(node, 1);
  // In TensorFlow a 0 is a size, and in ONNX by default "as before".
  conversion.set(node, conversion.onnx.node('Reshape', [conversion.input(node), target], { allowzero: 1 }));
};

const squeeze: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const axes = intsAttr(node, 'squeeze_dims');
  if (conversion.isChannelsFirst(node) && [...axes].sort().join() === '1,2') {
    conversion.set(node, onnx.node('Squeeze', [conversion.imageInput(node), onnx.integers([2, 3])]));
    return;
  }
  const inputs = [conversion.input(node), ...(axes.length > 0 ? [onnx.integers(axes)] : [])];
  conversion.set(node, onnx.node('Squeeze', inputs));
};

const expandDims: Converter = (node, conversion) => {
  const axes = conversion.onnx.integers([conversion.constantInput(node, 1).data[0] ?? 0]);
  conversion.set(node, conversion.onnx.node('Unsqueeze', [conversion.input(node), axes]));
};

/** The shape in TensorFlow's order of axes, which needs no transposition of the tensor itself. */
const shapeOf: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const shape = conversion.isChannelsFirst(node)
    ? onnx.node('Gather', [onnx.node('Shape', [conversion.imageInput(node)]), onnx.integers([0, 2, 3, 1])])
    : onnx.node('Shape', [conversion.input(node)]);
  const type = typeAttr(node, 'out_type', 'int32');
  conversion.set(node, type === 'int64' ? shape : onnx.cast(shape, type));
};

const transpose: Converter = (node, conversion) => {
  const perm = Array.from(conversion.constantInput(node, 1).data);
  // A network that transposes its images itself asks for the very form in which they are.
  if (perm.join() === '0,3,1,2') conversion.set(node, conversion.imageInput(node));
  else if (perm.join() === '0,2,3,1') {
    conversion.setChannelsFirst(node, conversion.input(node));
  } else conversion.set(node, conversion.onnx.transpose(conversion.input(node), perm));
};

const rank: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const shape = onnx.node('Shape', [
    conversion.isChannelsFirst(node) ? conversion.imageInput(node) : conversion.input(node),
  ]);
  conversion.set(node, onnx.cast(onnx.node('Size', [shape]), 'int32'));
};

const size: Converter = (node, conversion) => {
  const images = conversion.isChannelsFirst(node) ? conversion.imageInput(node) : conversion.input(node);
  conversion.set(
    node,
    conversion.onnx.cast(conversion.onnx.node('Size', [images]), typeAttr(node, 'out_type', 'int32')),
  );
};

/** Not a product with 0 or 1, which would keep what is not a number. */
const like =
  (value: number): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    conversion.set(
      node,
      onnx.node('Expand', [conversion.scalar(node, value), onnx.node('Shape', [conversion.input(node)])]),
    );
  };

/** By comparison with 0 … depth - 1, because ONNX's OneHot counts negative indices from the end. */
const oneHot: Converter = (node, conversion) => {
  const { onnx } = conversion;
  if (intAttr(node, 'axis', -1) !== -1) throw unsupported(node, `axis ${intAttr(node, 'axis')}`);
  const depth = conversion.constantInput(node, 1).data[0] ?? 0;
  const places = onnx.integers(Array.from({ length: depth }, (_, index) => index));
  const indices = onnx.node('Unsqueeze', [onnx.cast(conversion.input(node), 'int64'), onnx.integers([-1])]);
  const hot = onnx.node('Equal', [indices, places]);
  conversion.set(node, onnx.node('Where', [hot, conversion.input(node, 2), conversion.input(node, 3)]));
};

const fill: Converter = (node, conversion) => {
  const shape = conversion.int64Input(node, 0);
  conversion.set(node, conversion.onnx.node('Expand', [conversion.input(node, 1), shape]));
};

const range: Converter = (node, conversion) => {
  const inputs = [0, 1, 2].map((index) => conversion.input(node, index));
  conversion.set(node, conversion.onnx.node('Range', inputs));
};

const broadcastTo: Converter = (node, conversion) => {
  conversion.set(
    node,
    conversion.onnx.node('Expand', [conversion.input(node), conversion.int64Input(node, 1)]),
  );
};

const tile: Converter = (node, conversion) => {
  conversion.set(
    node,
    conversion.onnx.node('Tile', [conversion.input(node), conversion.int64Input(node, 1)]),
  );
};

const identityN: Converter = (node, conversion) => {
  node.inputs.forEach((ref, index) => conversion.set(node, conversion.value(ref), index));
};

/** Operations that speak of shapes. */
export const SHAPES: Readonly<Record<string, Converter>> = {
  Reshape: reshape,
  Squeeze: squeeze,
  ExpandDims: expandDims,
  Shape: shapeOf,
  Transpose: transpose,
  Rank: rank,
  Size: size,
  ZerosLike: like(0),
  OnesLike: like(1),
  OneHot: oneHot,
  Fill: fill,
  Range: range,
  BroadcastTo: broadcastTo,
  Tile: tile,
  IdentityN: identityN,
};
