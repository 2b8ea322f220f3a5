import { type GraphNode, inputOf, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import { BrokenModel } from '../savedmodel/servable-model.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guarded } from './guard.ts';
import { shapeLike } from './known-tensors.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import type { Family } from './operation.ts';

interface Channels {
  readonly onnx: OnnxGraph;
  readonly op: OnnxGraph['op'];
  readonly number: (value: number) => string;
  /** The result's channels put together. */
  readonly join: (channels: readonly string[]) => string;
}

/** Runs `build` on the three channels of the node's images, in whichever order their axes lie. */
const onColors =
  (build: (colors: readonly [string, string, string], channels: Channels) => readonly string[]): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const dtype = typeAttr(node, 'T', 'float32');
    if (dtype !== 'float32' && dtype !== 'float64') throw unsupported(node, dtype);
    const { isImage, tensor: images, set } = conversion.asLaidOut(node);
    const axis = isImage ? 1 : -1;
    const last = conversion.shape(inputOf(node, 0))?.at(-1) ?? -1;
    if (last >= 0 && last !== 3)
      throw new BrokenModel(`Node ${node.name} (${node.op}): ${last} channels, not 3`);
    const count = onnx.size(images, axis);
    const isThree = onnx.op('Equal', count, 3);
    const whole = last === 3 ? images : guarded(onnx, images, isThree, 'the channels are not 3');
    const [red = '', green = '', blue = ''] = onnx.nodeOf(3, 'Split', [whole], { axis, num_outputs: 3 });
    const channels: Channels = {
      onnx,
      op: onnx.op,
      number: (value) => onnx.scalar(dtype, value),
      join: (parts) => onnx.node('Concat', parts, { axis }),
    };
    set(channels.join(build([red, green, blue], channels)));
  };

/** Hue in sixths of the circle (0 to 6) of colors with known extremes; 0 if all three are equal. */
function sixthsOf(
  [red, green, blue]: readonly [string, string, string],
  { op, number }: Channels,
): { readonly most: string; readonly least: string; readonly hue: string } {
  const most = op('Max', red, green, blue);
  const least = op('Min', red, green, blue);
  const range = op('Sub', most, least);
  const isGray = op('Equal', range, number(0));
  const divisor = op('Where', isGray, number(1), range);
  const towards = (from: string, to: string, base: number) =>
    op('Add', op('Div', op('Sub', from, to), divisor), number(base));
  const warm = op('Where', op('Equal', green, most), towards(blue, red, 2), towards(red, green, 4));
  const any = op('Where', op('Equal', red, most), towards(green, blue, 0), warm);
  const hue = op('Where', op('Less', any, number(0)), op('Add', any, number(6)), any);
  return { most, least, hue: op('Where', isGray, number(0), hue) };
}

/** Red, green and blue as shares (0 to 1) of the way from a color's least to its most channel. */
function sharesOf(sixths: string, { op, number }: Channels): [string, string, string] {
  const from = (center: number) => op('Abs', op('Sub', sixths, number(center)));
  const within = (share: string) => op('Min', op('Max', share, number(0)), number(1));
  return [
    within(op('Sub', from(3), number(1))),
    within(op('Sub', number(2), from(2))),
    within(op('Sub', number(2), from(4))),
  ];
}

function saturationOf(most: string, least: string, { op, number }: Channels): string {
  const isDark = op('LessOrEqual', most, number(0));
  const share = op('Div', op('Sub', most, least), op('Where', isDark, number(1), most));
  return op('Where', isDark, number(0), share);
}

const toHsv = onColors((colors, channels) => {
  const { most, least, hue } = sixthsOf(colors, channels);
  const turned = channels.op('Div', hue, channels.number(6));
  return [turned, saturationOf(most, least, channels), most];
});

/** Red, green and blue of a hue, saturation and value. */
function fromHsv(sixths: string, saturation: string, value: string, channels: Channels): readonly string[] {
  const { op, number } = channels;
  const rest = op('Sub', number(1), saturation);
  return sharesOf(sixths, channels).map((share) =>
    op('Mul', op('Add', rest, op('Mul', saturation, share)), value),
  );
}

const toRgb = onColors(([hue, saturation, value], channels) =>
  fromHsv(channels.op('Mul', hue, channels.number(6)), saturation, value, channels),
);

/** The second input, one number for all images, in the type of the images. */
function amount(node: GraphNode, conversion: Conversion): string {
  return conversion.onnx.cast(conversion.input(node, 1), typeAttr(node, 'T', 'float32'));
}

/** The hue turns by a share of the circle; the extremes of each color stay. */
const adjustHue: Converter = (node, conversion) => {
  const turn = amount(node, conversion);
  onColors((colors, channels) => {
    const { op, number } = channels;
    const { most, least, hue } = sixthsOf(colors, channels);
    const turned = op('Add', hue, op('Mul', turn, number(6)));
    const rounds = op('Floor', op('Div', turned, number(6)));
    const sixths = op('Sub', turned, op('Mul', rounds, number(6)));
    const range = op('Sub', most, least);
    return sharesOf(sixths, channels).map((share) => op('Add', least, op('Mul', range, share)));
  })(node, conversion);
};

const adjustSaturation: Converter = (node, conversion) => {
  const factor = amount(node, conversion);
  onColors((colors, channels) => {
    const { op, number } = channels;
    const { most, least, hue } = sixthsOf(colors, channels);
    const scaled = op('Mul', saturationOf(most, least, channels), factor);
    const saturation = op('Min', op('Max', scaled, number(0)), number(1));
    return fromHsv(hue, saturation, most, channels);
  })(node, conversion);
};

/** Away from the mean of each channel of each image, or toward it. */
const adjustContrast: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const dtype = typeAttr(node, 'T', 'float32');
  if (dtype !== 'float32') throw unsupported(node, dtype);
  const { isImage, tensor: images, set } = conversion.asLaidOut(node);
  const axes = onnx.integers(isImage ? [2, 3] : [-3, -2]);
  const mean = onnx.node('ReduceMean', [images, axes], { keepdims: 1 });
  const away = onnx.op('Mul', onnx.op('Sub', images, mean), conversion.input(node, 1));
  set(onnx.op('Add', away, mean));
};

/** Operations on the colors of images. */
export const COLORS: Family = {
  title: 'Colors',
  takes: 'float32; RGBToHSV and HSVToRGB also float64',
  limits: [],
  operations: {
    RGBToHSV: [toHsv, shapeLike(0)],
    HSVToRGB: [toRgb, shapeLike(0)],
    AdjustHue: [adjustHue, shapeLike(0)],
    AdjustSaturation: [adjustSaturation, shapeLike(0)],
    AdjustContrastv2: [adjustContrast, shapeLike(0)],
  },
};
