import { type GraphNode, intsAttr, textAttr, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';
import { guardedEach } from './guard.ts';
import { onKernel } from './kernels.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import type { Family } from './operation.ts';
import { reachOf, samePadding, spatialSize } from './window-geometry.ts';

/** Height and width of an attribute [1, height, width, 1]. */
function pairOf(node: GraphNode, name: string): readonly [number, number] {
  const [batch, height, width, channels] = intsAttr(node, name);
  if (batch !== 1 || channels !== 1 || height === undefined || width === undefined)
    throw unsupported(node, `${name} [${intsAttr(node, name).join()}]`);
  return [height, width];
}

/** Each pixel of the result has the pixels of a window one behind the other: one slice with strides for each place in it. */
const extractPatches: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const window = {
    sizes: pairOf(node, 'ksizes'),
    strides: pairOf(node, 'strides'),
    dilations: pairOf(node, 'rates'),
  };
  const dtype = typeAttr(node, 'T', 'float32');
  const given = conversion.imageInput(node);
  const reach = reachOf(onnx, window);
  let images = given;
  if (textAttr(node, 'padding') === 'SAME') {
    const { before, after } = samePadding(onnx, spatialSize(onnx, given), window);
    const pads = onnx.join([0, 0], before, [0, 0], after);
    images = onKernel(node, onnx, 'Pad', dtype, [given], ([carried = '']) => onnx.op('Pad', carried, pads));
  }
  // Past the last place at which a window begins; negative where none fits the images.
  const lack = onnx.op('Sub', spatialSize(onnx, images), reach);
  // So far below its window TensorFlow takes an image for a mistake.
  const twice = window.strides.map((stride) => 2 * stride);
  const steps = onnx.op('Add', lack, twice);
  const fits = onnx.op('Greater', steps, [0]);
  const rest = guardedEach(onnx, lack, fits, 'the images are smaller than its window');
  const end = onnx.op('Max', onnx.op('Add', rest, [1]), [0]);
  const strides = onnx.integers(window.strides);
  const [height, width] = window.sizes;
  const parts = Array.from({ length: height * width }, (_, index) => {
    const offset = onnx.integers([
      Math.floor(index / width) * window.dilations[0],
      (index % width) * window.dilations[1],
    ]);
    return onnx.op('Slice', images, offset, onnx.op('Add', end, offset), [2, 3], strides);
  });
  conversion.setChannelsFirst(node, onnx.node('Concat', parts, { axis: 1 }));
};

const patchesShape: ShapeRule = (known) => {
  const images = known.shape(0);
  const [window, strides, rates] = ['ksizes', 'strides', 'rates'].map((name) => intsAttr(known.node, name));
  const count = (axis: number) => {
    const size = images?.[axis] ?? OPEN;
    const stride = strides?.[axis] ?? 1;
    if (size < 0) return OPEN;
    const reach = ((window?.[axis] ?? 1) - 1) * (rates?.[axis] ?? 1) + 1;
    const rest = textAttr(known.node, 'padding') === 'SAME' ? size : size - reach + 1;
    return Math.max(0, Math.ceil(rest / stride));
  };
  const depth = images?.[3] ?? OPEN;
  const pixels = (window?.[1] ?? 1) * (window?.[2] ?? 1);
  return [images?.[0] ?? OPEN, count(1), count(2), depth < 0 ? OPEN : depth * pixels];
};

/** Operations that cut images into windows. */
export const PATCHES: Family = {
  title: 'Windows of images',
  takes: 'all numbers',
  limits: [['', 'images far smaller than a VALID window end the run, as in TensorFlow']],
  operations: { ExtractImagePatches: [extractPatches, patchesShape] },
};
