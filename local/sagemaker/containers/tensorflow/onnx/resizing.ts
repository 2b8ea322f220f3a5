import { boolAttr, type GraphNode } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';

function resize(node: GraphNode, conversion: Conversion, attributes: Record<string, string>): void {
  const { onnx } = conversion;
  const images = conversion.imageInput(node);
  const batchAndChannels = onnx.node('Slice', [
    onnx.node('Shape', [images]),
    onnx.integers([0]),
    onnx.integers([2]),
  ]);
  const sizes = onnx.node('Concat', [batchAndChannels, conversion.int64Input(node, 1)], { axis: 0 });
  const mode = boolAttr(node, 'half_pixel_centers')
    ? 'half_pixel'
    : boolAttr(node, 'align_corners')
      ? 'align_corners'
      : 'asymmetric';
  const result = onnx.node('Resize', [images, '', '', sizes], {
    ...attributes,
    coordinate_transformation_mode: mode,
  });
  conversion.setChannelsFirst(node, result);
}

/** TensorFlow's bilinear resize gives floats whatever it gets. */
const bilinear: Converter = (node, conversion) => {
  const float = conversion.onnx.cast(conversion.imageInput(node), 'float32');
  const cast = { ...node, name: `${node.name}/float` };
  conversion.setChannelsFirst(cast, float);
  resize({ ...node, inputs: [{ node: cast.name, index: 0 }, ...node.inputs.slice(1)] }, conversion, {
    mode: 'linear',
  });
};

const nearest: Converter = (node, conversion) => {
  const nearestMode = boolAttr(node, 'align_corners') ? 'round_prefer_ceil' : 'floor';
  // TensorFlow adds half a pixel without taking it off again, and rounds down: that is rounding to the nearest centre.
  const rounding = boolAttr(node, 'half_pixel_centers') ? 'round_prefer_ceil' : nearestMode;
  resize(node, conversion, { mode: 'nearest', nearest_mode: rounding });
};

export const RESIZINGS: Readonly<Record<string, Converter>> = {
  ResizeBilinear: bilinear,
  ResizeNearestNeighbor: nearest,
};
