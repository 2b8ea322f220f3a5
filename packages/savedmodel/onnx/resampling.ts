import { boolAttr, type GraphNode, textAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { cropAndResize, croppedShape } from './crop-and-resize.ts';
import { Floats } from './floats.ts';
import { guarded, guardedEach } from './guard.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Family } from './operation.ts';
import { resizedShape } from './resizing.ts';
import { taperOf } from './taper.ts';

/** Images with channels first, as floats; for height and width how many pixels there are and how many are wanted. */
interface Resized {
  readonly images: string;
  readonly axes: readonly { readonly size: string; readonly target: string }[];
}

function resizedImages(node: GraphNode, conversion: Conversion): Resized {
  const { onnx } = conversion;
  const images = onnx.cast(conversion.imageInput(node), 'float32');
  const shape = onnx.shape(images);
  const given = conversion.int64Input(node, 1);
  const targets = guardedEach(onnx, given, onnx.op('Greater', given, [0]), 'a size is not positive');
  const element = (tensor: string, at: number) => onnx.op('Gather', tensor, at);
  const full = onnx.op('Greater', onnx.op('Mul', element(shape, 2), element(shape, 3)), 0);
  return {
    images: guarded(onnx, images, full, 'the images have no pixels'),
    axes: [0, 1].map((axis) => ({ size: element(shape, axis + 2), target: element(targets, axis) })),
  };
}

/** How many pixels of the images there are for one of the result. */
function scaleOf(node: GraphNode, floats: Floats, size: string, target: string): string {
  const { op, of } = floats;
  const plain = op('Div', of(size), of(target));
  if (!boolAttr(node, 'align_corners')) return plain;
  const between = op('Div', of(op('Sub', size, 1)), of(op('Sub', target, 1)));
  const isSpread = op('And', op('Greater', target, 1), op('Greater', size, 1));
  return op('Where', isSpread, between, plain);
}

/** Rows and columns of images [batch, channels, height, width] as weighted sums, with weights in matrices [target, size]. */
function mixed(onnx: OnnxGraph, images: string, [rows = '', columns = '']: readonly string[]): string {
  const narrowed = onnx.op('MatMul', rows, images);
  return onnx.op('MatMul', narrowed, onnx.transpose(columns, [1, 0]));
}

/** Steps between two pixels in the table from which TensorFlow reads the weights of the four pixels around a place. */
const STEPS = 1024;

/**
 * The cubic of Keys for distances from 0 to 1 and from 1 to 2, alternating. https://doi.org/10.1109/TASSP.1981.1163711
 *
 * @param a slope of the outer part at distance 1
 */
function cubicTable(a: number): Float32Array {
  const f = Math.fround;
  const table = new Float32Array(2 * (STEPS + 1));
  for (let step = 0; step <= STEPS; step++) {
    const near = f(step / STEPS);
    table[2 * step] = ((a + 2) * near - (a + 3)) * near * near + 1;
    const far = f(near + 1);
    table[2 * step + 1] = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a;
  }
  return table;
}

/** With half-pixel centers pixels outside of the image weigh nothing; without them the border's pixel stands for them. */
const bicubic: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const floats = new Floats(onnx);
  const { op, number, of } = floats;
  const isHalf = boolAttr(node, 'half_pixel_centers');
  const values = cubicTable(isHalf ? -0.5 : -0.75);
  const table = onnx.constant({ dtype: 'float32', shape: [values.length], data: values });
  const { images, axes } = resizedImages(node, conversion);
  const matrices = axes.map(({ size, target }) => {
    const scale = scaleOf(node, floats, size, target);
    const counted = floats.counted(target, 'rows');
    const place = isHalf
      ? op('Sub', op('Mul', op('Add', counted, number(0.5)), scale), number(0.5))
      : op('Mul', counted, scale);
    const floor = op('Floor', place);
    const step = onnx.cast(op('Round', op('Mul', op('Sub', place, floor), number(STEPS))), 'int64');
    const near = op('Mul', step, 2);
    const far = op('Sub', 2 * STEPS, near);
    const entries = [op('Add', near, 1), near, far, op('Add', far, 1)];
    const pixels = floats.counted(size, 'columns');
    const last = of(op('Sub', size, 1));
    const parts = entries.map((entry, index) => {
      const at = op('Add', floor, number(index - 1));
      const inside = isHalf ? at : op('Min', op('Max', at, number(0)), last);
      const weight = onnx.op('Gather', table, entry);
      return op('Where', op('Equal', inside, pixels), weight, number(0));
    });
    const weights = parts.reduce((sum, part) => op('Add', sum, part));
    if (!isHalf) return weights;
    const total = onnx.op('ReduceSum', weights, [1]);
    return op('Div', weights, total);
  });
  conversion.setChannelsFirst(node, mixed(onnx, images, matrices));
};

/** Each pixel of the result is the mean of the pixels that it covers; the image's last pixel extends beyond the edge. */
const area: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const floats = new Floats(onnx);
  const { op, number, of } = floats;
  const { images, axes } = resizedImages(node, conversion);
  const matrices = axes.map(({ size, target }) => {
    const scale = scaleOf(node, floats, size, target);
    const counted = floats.counted(target, 'rows');
    const begin = op('Mul', counted, scale);
    const end = op('Mul', op('Add', counted, number(1)), scale);
    const left = floats.counted(size, 'columns');
    const isLast = op('Equal', left, of(op('Sub', size, 1)));
    const right = op('Where', isLast, number(Infinity), op('Add', left, number(1)));
    const covered = op('Sub', op('Min', end, right), op('Max', begin, left));
    return op('Div', op('Max', covered, number(0)), scale);
  });
  conversion.setChannelsFirst(node, mixed(onnx, images, matrices));
};

/** `tf.image.resize` with antialiasing: a taper, as wide as the images shrink, around each pixel's place. */
const scaleAndTranslate: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const floats = new Floats(onnx);
  const { op, number, of } = floats;
  const taper = taperOf(textAttr(node, 'kernel_type', 'lanczos3'));
  if (taper === undefined) throw unsupported(node, `kernel ${textAttr(node, 'kernel_type')}`);
  const { images, axes } = resizedImages(node, conversion);
  const [scales, shifts] = [conversion.input(node, 2), conversion.input(node, 3)];
  const matrices = axes.map(({ size, target }, axis) => {
    const at = onnx.integers([axis], []);
    const scale = onnx.op('Gather', scales, at);
    const inverse = op('Div', number(1), scale);
    const shift = op('Mul', op('Neg', inverse), onnx.op('Gather', shifts, at));
    const width = boolAttr(node, 'antialias', true) ? op('Max', inverse, number(1)) : number(1);
    const middle = op('Add', floats.counted(target, 'rows'), number(0.5));
    const place = op('Add', op('Mul', middle, inverse), shift);
    const pixels = op('Add', floats.counted(size, 'columns'), number(0.5));
    const distance = op('Abs', op('Mul', op('Sub', pixels, place), op('Div', number(1), width)));
    const weights = taper(distance, floats);
    const total = onnx.op('ReduceSum', weights, [1]);
    const isNone = op('Less', op('Abs', total), number(1000 * 1.1754943508222875e-38));
    const whole = op('Div', weights, op('Where', isNone, number(1), total));
    const isInside = op('And', op('GreaterOrEqual', place, number(0)), op('LessOrEqual', place, of(size)));
    return op('Where', isInside, whole, number(0));
  });
  conversion.setChannelsFirst(node, mixed(onnx, images, matrices));
};

/** Operations that compute pixels between those there are. */
export const RESAMPLINGS: Family = {
  title: 'Sizes of images by more pixels',
  takes:
    'all numbers; sizes known or computed; every taper of ScaleAndTranslate, with antialiasing and without',
  limits: [
    ['ResizeBicubic ResizeArea ScaleAndTranslate', 'an infinity or NaN spreads over its rows and columns'],
  ],
  operations: {
    ResizeBicubic: [bicubic, resizedShape],
    ResizeArea: [area, resizedShape],
    ScaleAndTranslate: [scaleAndTranslate, resizedShape],
    CropAndResize: [cropAndResize, croppedShape],
  },
};
