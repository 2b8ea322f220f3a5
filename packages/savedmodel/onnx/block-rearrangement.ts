import { intAttr, typeAttr } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';
import { onKernel } from './kernels.ts';

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

/** Operations that turn squares of pixels into channels and back. */
export const BLOCK_REARRANGEMENTS: Readonly<Record<string, Converter>> = {
  SpaceToDepth: rearrange('SpaceToDepth', {}),
  DepthToSpace: rearrange('DepthToSpace', { mode: 'DCR' }),
};
