import { textAttr, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';

/** TensorFlow pairs before and after by axis; ONNX lists all befores, then all afters. */
const pad =
  (mode: (node: GraphNode) => string): Converter =>
  (node, conversion) => {
    const amounts = Array.from(conversion.constantInput(node, 1).data);
    const before = amounts.filter((_, index) => index % 2 === 0);
    const after = amounts.filter((_, index) => index % 2 === 1);
    const value = node.inputs.length > 2 ? [conversion.input(node, 2)] : [];
    const build = (input: string, order: readonly number[]) => {
      const pads = [...order.map((axis) => before[axis] ?? 0), ...order.map((axis) => after[axis] ?? 0)];
      return conversion.onnx.node('Pad', [input, conversion.onnx.integers(pads), ...value], {
        mode: mode(node),
      });
    };
    if (before.length === 4 && conversion.isChannelsFirst(node)) {
      conversion.setChannelsFirst(node, build(conversion.imageInput(node), [0, 3, 1, 2]));
    } else conversion.set(node, build(conversion.input(node), [...before.keys()]));
  };

const constant = pad(() => 'constant');

export const PADDINGS: Readonly<Record<string, Converter>> = {
  Pad: constant,
  PadV2: constant,
  MirrorPad: pad((node) => (textAttr(node, 'mode') === 'REFLECT' ? 'reflect' : symmetric(node))),
};

/** ONNX's `edge` repeats one pixel, which is SYMMETRIC for paddings of one pixel only: not worth a special case. */
function symmetric(node: GraphNode): never {
  throw unsupported(node, 'SYMMETRIC');
}
