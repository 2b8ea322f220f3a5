import { intAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';

const gather: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const axis = node.inputs.length > 2 ? (conversion.constantInput(node, 2).data[0] ?? 0) : 0;
  const batch = intAttr(node, 'batch_dims');
  const inputs = [conversion.input(node), conversion.input(node, 1)];
  if (batch === 0) conversion.set(node, onnx.node('Gather', inputs, { axis }));
  else if (axis === batch) {
    const places = onnx.node('Unsqueeze', [
      onnx.cast(conversion.input(node, 1), 'int64'),
      onnx.integers([-1]),
    ]);
    conversion.set(node, onnx.node('GatherND', [conversion.input(node), places], { batch_dims: batch }));
  } else throw unsupported(node, `axis ${axis}, batch_dims ${batch}`);
};

const gatherNd: Converter = (node, conversion) => {
  const places = conversion.onnx.cast(conversion.input(node, 1), 'int64');
  conversion.set(node, conversion.onnx.node('GatherND', [conversion.input(node), places]));
};

/** Operations that pick elements by index. */
export const GATHERINGS: Readonly<Record<string, Converter>> = {
  Gather: gather,
  GatherV2: gather,
  ResourceGather: gather,
  GatherNd: gatherNd,
};
