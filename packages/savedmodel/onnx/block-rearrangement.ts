import { intAttr, typeAttr } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { onKernel } from './kernels.ts';
import type { ShapeRule } from './known-tensors.ts';
import type { Family } from './operation.ts';
import { imageAxes } from './window-geometry.ts';

const rearrange =
  (op: 'SpaceToDepth' | 'DepthToSpace', attributes: Readonly<Record<string, string>>): Converter =>
  (node, conversion) => {
    const blocksize = intAttr(node, 'block_size', 2);
    const dtype = typeAttr(node, 'T', 'float32');
    const { onnx } = conversion;
    onImages(node, conversion, (images) =>
      onKernel(node, onnx, op, dtype, [images], (carried) =>
        onnx.node(op, carried, { ...attributes, blocksize }),
      ),
    );
  };

const blocksShape =
  (grow: boolean): ShapeRule =>
  (known) => {
    const images = known.shape(0);
    if (images?.length !== 4) return null;
    const size = intAttr(known.node, 'block_size', 2);
    const [channels] = imageAxes(known.node);
    return images.map((length, axis) => {
      if (length < 0 || axis === 0) return length;
      const factor = axis === channels ? size * size : size;
      return (axis === channels) === grow ? length / factor : length * factor;
    });
  };

/** Operations that turn squares of pixels into channels and back. */
export const BLOCK_REARRANGEMENTS: Family = {
  title: 'Blocks of pixels and channels',
  takes: 'all element types but int64 and uint64; channels last and first',
  limits: [],
  operations: {
    SpaceToDepth: [rearrange('SpaceToDepth', {}), blocksShape(false)],
    DepthToSpace: [rearrange('DepthToSpace', { mode: 'DCR' }), blocksShape(true)],
  },
};
