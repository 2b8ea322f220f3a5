import { boolAttr, type GraphNode } from '../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../savedmodel/servable-model.ts';
import { hostInput, type HostOperation } from './host-operation.ts';
import { hostTensorOf, newHostTensor } from './host-tensor.ts';

/** For one pixel of the result: the two it lies between, and how far it is from the first (0..1). */
interface Neighbors {
  readonly lower: number;
  readonly upper: number;
  readonly fraction: number;
}

/** `ResizeBilinear` without antialiasing: `tf.image.resize`, `tf.compat.v1.image.resize_bilinear`. */
const resizeBilinear: HostOperation = (inputs, node) => {
  const images = hostInput(inputs, 0, node);
  const [height = 0, width = 0] = hostInput(inputs, 1, node).data;
  const [count = 0, inHeight = 0, inWidth = 0, channels = 0] = images.shape;
  // Before any return: an attribute that was not asked for counts as one that is not supported.
  const placement = placementOf(node);
  requirePixels(node, [inHeight, inWidth, channels, height, width]);
  // Pixels that fall on pixels stay as they are, whichever way the corners are aligned.
  if (height === inHeight && width === inWidth) return hostTensorOf('float32', images.shape, images.data);
  const rows = neighbors(placement, inHeight, height);
  const columns = neighbors(placement, inWidth, width);
  const result = newHostTensor('float32', [count, height, width, channels]);
  const source = images.data;
  let written = 0;
  for (let image = 0; image < count; image++) {
    for (const row of rows) {
      const top = (image * inHeight + row.lower) * inWidth;
      const bottom = (image * inHeight + row.upper) * inWidth;
      for (const column of columns) {
        const topLeft = (top + column.lower) * channels;
        const topRight = (top + column.upper) * channels;
        const bottomLeft = (bottom + column.lower) * channels;
        const bottomRight = (bottom + column.upper) * channels;
        for (let channel = 0; channel < channels; channel++) {
          const above = between(source[topLeft + channel], source[topRight + channel], column.fraction);
          const below = between(source[bottomLeft + channel], source[bottomRight + channel], column.fraction);
          result.data[written++] = between(above, below, row.fraction);
        }
      }
    }
  }
  return result;
};

const resizeNearest: HostOperation = (inputs, node) => {
  const images = hostInput(inputs, 0, node);
  const [height = 0, width = 0] = hostInput(inputs, 1, node).data;
  const [count = 0, inHeight = 0, inWidth = 0, channels = 0] = images.shape;
  requirePixels(node, [inHeight, inWidth, channels, height, width]);
  const result = newHostTensor(images.dtype, [count, height, width, channels]);
  const rows = nearestPlaces(node, inHeight, height);
  const columns = nearestPlaces(node, inWidth, width);
  let written = 0;
  for (let image = 0; image < count; image++) {
    for (const row of rows) {
      for (const column of columns) {
        const start = ((image * inHeight + row) * inWidth + column) * channels;
        result.data.set(images.data.subarray(start, start + channels), written);
        written += channels;
      }
    }
  }
  return result;
};

/** Refuses sizes without pixels, as TensorFlow does, even if there are no images. */
function requirePixels(node: GraphNode, sizes: readonly number[]): void {
  if (!sizes.every((size) => size > 0))
    throw new InvalidFeeds(`Node ${node.name} (${node.op}): images without pixels`);
}

/** Single precision at every step, as TensorFlow computes. */
function between(a = 0, b = 0, fraction: number): number {
  return Math.fround(a + Math.fround(Math.fround(b - a) * fraction));
}

interface Placement {
  readonly corners: boolean;
  readonly half: boolean;
}

function placementOf(node: GraphNode): Placement {
  return { corners: boolAttr(node, 'align_corners'), half: boolAttr(node, 'half_pixel_centers') };
}

function neighbors({ corners, half }: Placement, size: number, target: number): Neighbors[] {
  const scale = scaleOf(corners, size, target);
  return Array.from({ length: target }, (_, index) => {
    const place = half ? Math.fround(Math.fround((index + 0.5) * scale) - 0.5) : Math.fround(index * scale);
    const floor = Math.floor(place);
    return {
      lower: Math.max(0, floor),
      upper: Math.min(floor + 1, size - 1),
      fraction: Math.fround(place - floor),
    };
  });
}

/** For each of `target` pixels the one of `size` that `ResizeNearestNeighbor` takes. */
export function nearestPlaces(node: GraphNode, size: number, target: number): number[] {
  const { corners, half } = placementOf(node);
  const scale = scaleOf(corners, size, target);
  const round = corners ? Math.round : Math.floor;
  return Array.from({ length: target }, (_, index) =>
    Math.min(round(Math.fround((half ? index + 0.5 : index) * scale)), size - 1),
  );
}

function scaleOf(corners: boolean, size: number, target: number): number {
  return Math.fround(corners && target > 1 ? (size - 1) / (target - 1) : size / target);
}

/** Sizes of images [count, height, width, channels] changed bilinearly or by nearest neighbors. */
export const RESIZES: Readonly<Record<string, HostOperation>> = {
  ResizeBilinear: resizeBilinear,
  ResizeNearestNeighbor: resizeNearest,
};
