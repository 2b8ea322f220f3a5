import { intsAttr, textAttr } from '../savedmodel/graph-node.ts';
import { type Infer, input, like, named, numbers, OPEN, sizes } from './known-tensors.ts';

const resize: Infer = (node, known) => {
  const images = input(node, 0, known);
  const wanted = sizes(node, 1, known);
  if (images !== null && images.length !== 4) return null;
  return [images?.[0] ?? OPEN, wanted?.[0] ?? OPEN, wanted?.[1] ?? OPEN, images?.[3] ?? OPEN];
};

const crop: Infer = (node, known) => {
  const wanted = numbers(node, 3, known);
  const boxes = input(node, 1, known)?.[0] ?? OPEN;
  return [boxes, wanted?.[0] ?? OPEN, wanted?.[1] ?? OPEN, input(node, 0, known)?.[3] ?? OPEN];
};

const patches: Infer = (node, known) => {
  const images = input(node, 0, known);
  const [window, strides, rates] = ['ksizes', 'strides', 'rates'].map((name) => intsAttr(node, name));
  const count = (axis: number) => {
    const size = images?.[axis] ?? OPEN;
    const stride = strides?.[axis] ?? 1;
    if (size < 0) return OPEN;
    const reach = ((window?.[axis] ?? 1) - 1) * (rates?.[axis] ?? 1) + 1;
    const rest = textAttr(node, 'padding') === 'SAME' ? size : size - reach + 1;
    return Math.max(0, Math.ceil(rest / stride));
  };
  const depth = images?.[3] ?? OPEN;
  const pixels = (window?.[1] ?? 1) * (window?.[2] ?? 1);
  return [images?.[0] ?? OPEN, count(1), count(2), depth < 0 ? OPEN : depth * pixels];
};

/** Shapes of what colour.ts, resizing.ts, resampling.ts and patches.ts convert. */
export const IMAGE_SHAPES = [
  ...named('RGBToHSV HSVToRGB AdjustHue AdjustSaturation AdjustContrastv2', like(0)),
  ...named('ResizeBilinear ResizeNearestNeighbor ResizeBicubic ResizeArea ScaleAndTranslate', resize),
  ...named('CropAndResize', crop),
  ...named('ExtractImagePatches', patches),
];
