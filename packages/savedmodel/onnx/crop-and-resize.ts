import { floatAttr, textAttr, unsupported } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { Converter } from './conversion.ts';
import { Floats } from './floats.ts';
import { guardedEach } from './guard.ts';
import { OPEN, type ShapeRule } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** Boxes of images, given in shares of height and width, each resized to one size. */
export const cropAndResize: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const floats = new Floats(onnx);
  const { op, number, of } = floats;
  const method = textAttr(node, 'method', 'bilinear');
  if (method !== 'bilinear' && method !== 'nearest')
    throw new BrokenModel(`Node ${node.name} (CropAndResize): method ${method}`);
  const images = onnx.cast(conversion.input(node), 'float32');
  const shape = onnx.shape(images);
  const element = (tensor: string, at: number) => onnx.op('Gather', tensor, at);
  const boxes = conversion.input(node, 1);
  const given = onnx.cast(conversion.input(node, 2), 'int64');
  const owners = withinBatch(onnx, given, element(shape, 0));
  const crop = conversion.int64Input(node, 3);
  // [boxes, 1] for each corner; [boxes, target] for the places in one axis.
  const corner = (at: number) => onnx.node('Gather', [boxes, [at]], { axis: 1 });
  const axes = [0, 1].map((axis) => {
    const target = element(crop, axis);
    const last = of(op('Sub', element(shape, axis + 1), 1));
    const [begin, end] = [corner(axis), corner(axis + 2)];
    const step = op('Div', op('Mul', op('Sub', end, begin), last), of(op('Max', op('Sub', target, 1), 1)));
    const spread = op('Add', op('Mul', begin, last), op('Mul', floats.counted(target, 'columns'), step));
    const center = op('Mul', op('Mul', number(0.5), op('Add', begin, end)), last);
    const place = op('Where', op('Greater', target, 1), spread, center);
    const isInside = op('And', op('GreaterOrEqual', place, number(0)), op('LessOrEqual', place, last));
    return { place: op('Where', isInside, place, number(0)), isInside };
  });
  const [vertical, horizontal] = axes;
  if (vertical === undefined || horizontal === undefined) throw unsupported(node);
  const { rows, columns, pick } = pixelsOf(onnx, images, owners);
  const [y, x] = [vertical.place, horizontal.place];
  const deep = (tensor: string) => onnx.op('Unsqueeze', tensor, [-1]);
  let pixels: string;
  if (method === 'nearest') {
    const rounded = (place: string) => op('Floor', op('Add', place, number(0.5)));
    pixels = pick(rounded(y), rounded(x));
  } else {
    const [top, left] = [op('Floor', y), op('Floor', x)];
    const [bottom, right] = [op('Ceil', y), op('Ceil', x)];
    const across = deep(columns(op('Sub', x, left)));
    const down = deep(rows(op('Sub', y, top)));
    const between = (a: string, b: string, share: string) => op('Add', a, op('Mul', op('Sub', b, a), share));
    const above = between(pick(top, left), pick(top, right), across);
    const below = between(pick(bottom, left), pick(bottom, right), across);
    pixels = between(above, below, down);
  }
  const isInside = deep(op('And', rows(vertical.isInside), columns(horizontal.isInside)));
  const outside = onnx.scalar('float32', floatAttr(node, 'extrapolation_value', 0));
  conversion.set(node, op('Where', isInside, pixels, outside));
};

/** Pixels of images by places [boxes, target] of rows and columns, in the image that owns each box. */
function pixelsOf(onnx: OnnxGraph, images: string, owners: string) {
  const rows = (tensor: string) => onnx.op('Unsqueeze', tensor, [2]);
  const columns = (tensor: string) => onnx.op('Unsqueeze', tensor, [1]);
  const boxOf = onnx.op('Reshape', owners, [-1, 1, 1]);
  const pick = (y: string, x: string) => {
    const parts = [boxOf, rows(onnx.cast(y, 'int64')), columns(onnx.cast(x, 'int64'))];
    const sum = parts.reduce((total, part) => onnx.op('Add', total, part));
    const whole = onnx.shape(sum);
    const listed = parts.map((part) => onnx.op('Unsqueeze', onnx.op('Expand', part, whole), [-1]));
    return onnx.op('GatherND', images, onnx.node('Concat', listed, { axis: -1 }));
  };
  return { rows, columns, pick };
}

/** A box of a missing image fails the run. */
function withinBatch(onnx: OnnxGraph, owners: string, batch: string): string {
  const fits = onnx.op('And', onnx.op('GreaterOrEqual', owners, 0), onnx.op('Less', owners, batch));
  return guardedEach(onnx, owners, fits, 'a box belongs to no image');
}

/** Shape of the crops, one for each box. */
export const croppedShape: ShapeRule = (known) => {
  const wanted = known.numbers(3);
  const boxes = known.shape(1)?.[0] ?? OPEN;
  return [boxes, wanted?.[0] ?? OPEN, wanted?.[1] ?? OPEN, known.shape(0)?.[3] ?? OPEN];
};
