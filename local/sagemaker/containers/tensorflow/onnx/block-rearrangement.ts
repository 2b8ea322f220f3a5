import { intAttr } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { onImages } from './convolution.ts';

const rearrange =
  (op: string, attributes: Readonly<Record<string, string>>): Converter =>
  (node, conversion) => {
    const blocksize = intAttr(node, 'block_size', 2);
    onImages(node, conversion, (images) => conversion.onnx.node(op, [images], { ...attributes, blocksize }));
  };

/** Operations that turn squares of pixels into channels and back. */
export const BLOCK_REARRANGEMENTS: Readonly<Record<string, Converter>> = {
  SpaceToDepth: rearrange('SpaceToDepth', {}),
  DepthToSpace: rearrange('DepthToSpace', { mode: 'DCR' }),
};
