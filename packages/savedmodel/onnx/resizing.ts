import { nearestPlaces } from '../host/resize.ts';
import { boolAttr, type GraphNode, inputOf, typeAttr } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { MISSING_KERNELS } from './kernels.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import type { Family } from './operation.ts';

function resize(
  node: GraphNode,
  conversion: Conversion,
  images: string,
  attributes: Readonly<Record<string, string>>,
): string {
  const { onnx } = conversion;
  const whole = onnx.shape(images);
  const batchAndChannels = onnx.op('Slice', whole, [0], [2]);
  const sizes = onnx.join(batchAndChannels, conversion.int64Input(node, 1));
  return onnx.node('Resize', [images, '', '', sizes], attributes);
}

/** TensorFlow's bilinear resize gives floats whatever it gets. */
const bilinear: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const mode = boolAttr(node, 'half_pixel_centers')
    ? 'half_pixel'
    : boolAttr(node, 'align_corners')
      ? 'align_corners'
      : 'asymmetric';
  const images = onnx.cast(conversion.imageInput(node), 'float32');
  const attributes = { mode: 'linear', coordinate_transformation_mode: mode };
  conversion.setChannelsFirst(node, resize(node, conversion, images, attributes));
};

/**
 * Pixels are picked by indices that are computed as TensorFlow computes them, in single precision: onnxruntime's own rounding
 * picks the neighbor now and then. Whole multiples of the size leave nothing to round.
 */
const nearest: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const images = conversion.imageInput(node);
  const shape = conversion.shape(inputOf(node, 0));
  const targets = conversion.numbers(inputOf(node, 1));
  const sizes = [shape?.[1] ?? -1, shape?.[2] ?? -1];
  const places = sizes.map((size, axis) => {
    const target = targets?.[axis] ?? -1;
    return size < 0 || target < 0 ? undefined : nearestPlaces(node, size, target);
  });
  const isMultiple = places.every((chosen, axis) => {
    const [size = 0, count] = [sizes[axis], chosen?.length ?? 0];
    return (
      count % size === 0 && chosen?.every((place, index) => place === Math.floor((index * size) / count))
    );
  });
  const missing: readonly string[] = MISSING_KERNELS.Resize;
  if (isMultiple && !missing.includes(typeAttr(node, 'T', 'float32'))) {
    const attributes = {
      mode: 'nearest',
      nearest_mode: 'floor',
      coordinate_transformation_mode: 'asymmetric',
    };
    conversion.setChannelsFirst(node, resize(node, conversion, images, attributes));
    return;
  }
  const picked = places.reduce((tensor: string, chosen, axis) => {
    const indices =
      chosen === undefined ? computedPlaces(node, conversion, images, axis) : onnx.integers(chosen);
    return onnx.node('Gather', [tensor, indices], { axis: axis + 2 });
  }, images);
  conversion.setChannelsFirst(node, picked);
};

/** Places like `nearestPlaces`, for sizes that only the run knows. */
function computedPlaces(node: GraphNode, conversion: Conversion, images: string, axis: number): string {
  const { onnx } = conversion;
  const element = (tensor: string, index: number) => onnx.op('Gather', tensor, index);
  const size = element(onnx.shape(images), axis + 2);
  const target = element(conversion.int64Input(node, 1), axis);
  const places = onnx.cast(onnx.op('Range', 0, target, 1), 'float32');
  const share = (whole: string, parts: string) =>
    onnx.op('Div', onnx.cast(whole, 'float32'), onnx.cast(parts, 'float32'));
  const picked = (scale: string) => {
    if (boolAttr(node, 'align_corners')) {
      // Use float64 so that adding 0.5 doesn't round.
      const place = onnx.cast(onnx.op('Mul', places, scale), 'float64');
      return onnx.op('Floor', onnx.op('Add', place, onnx.scalar('float64', 0.5)));
    }
    const half = onnx.scalar('float32', boolAttr(node, 'half_pixel_centers') ? 0.5 : 0);
    return onnx.op('Floor', onnx.op('Mul', onnx.op('Add', places, half), scale));
  };
  const last = onnx.op('Sub', size, 1);
  const scale = boolAttr(node, 'align_corners')
    ? onnx.op(
        'Where',
        onnx.op('Greater', target, 1),
        share(last, onnx.op('Sub', target, 1)),
        share(size, target),
      )
    : share(size, target);
  return onnx.op('Min', onnx.cast(picked(scale), 'int64'), last);
}

/** Shape of images of another size. */
export const resizedShape: ShapeRule = (known) => {
  const images = known.shape(0);
  const wanted = known.sizes(1);
  if (images !== null && images.length !== 4) return null;
  return [images?.[0] ?? OPEN, wanted?.[0] ?? OPEN, wanted?.[1] ?? OPEN, images?.[3] ?? OPEN];
};

/** Sizes of images changed bilinearly or by nearest neighbors. */
export const RESIZINGS: Family = {
  title: 'Sizes of images',
  takes: 'all numbers; half-pixel centers, aligned corners, neither; sizes known or computed',
  limits: [],
  operations: {
    ResizeBilinear: [bilinear, resizedShape],
    ResizeNearestNeighbor: [nearest, resizedShape],
  },
};
