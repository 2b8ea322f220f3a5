import { boolAttr, typeAttr } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';

/** Mean over height and width is how networks end, so it must not cost a transposition. */
const reduce =
  (op: string): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const axes = Array.from(conversion.constantInput(node, 1).data);
    const keep = boolAttr(node, 'keep_dims');
    const attributes = { keepdims: keep ? 1 : 0, noop_with_empty_axes: 1 };
    const spatial = axes.map((axis) => (axis < 0 ? axis + 4 : axis)).sort();
    if (conversion.isChannelsFirst(node) && spatial.join() === '1,2') {
      const result = onnx.node(op, [conversion.imageInput(node), onnx.integers([2, 3])], attributes);
      if (keep) conversion.setChannelsFirst(node, result);
      else conversion.set(node, result);
    } else conversion.set(node, onnx.node(op, [conversion.input(node), onnx.integers(axes)], attributes));
  };

/** ONNX reduces no booleans. */
const reduceBool =
  (op: string): Converter =>
  (node, conversion) => {
    const { onnx } = conversion;
    const axes = onnx.integers(Array.from(conversion.constantInput(node, 1).data));
    const attributes = { keepdims: boolAttr(node, 'keep_dims') ? 1 : 0, noop_with_empty_axes: 1 };
    const reduced = onnx.node(op, [onnx.cast(conversion.input(node), 'int32'), axes], attributes);
    conversion.set(node, onnx.cast(reduced, 'bool'));
  };

const argument =
  (op: string): Converter =>
  (node, conversion) => {
    const axis = conversion.constantInput(node, 1).data[0] ?? 0;
    const place = conversion.onnx.node(op, [conversion.input(node)], { axis, keepdims: 0 });
    const type = typeAttr(node, 'output_type', 'int64');
    conversion.set(node, type === 'int64' ? place : conversion.onnx.cast(place, type));
  };

const topK: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const k = onnx.node('Reshape', [conversion.int64Input(node, 1), onnx.integers([1])]);
  const [values = '', places = ''] = onnx.nodeOf(2, 'TopK', [conversion.input(node), k], {
    sorted: boolAttr(node, 'sorted', true) ? 1 : 0,
  });
  conversion.set(node, values);
  conversion.set(node, onnx.cast(places, typeAttr(node, 'index_type', 'int32')), 1);
};

const softmax =
  (op: string): Converter =>
  (node, conversion) =>
    conversion.set(node, conversion.onnx.node(op, [conversion.input(node)], { axis: -1 }));

const cumulativeSum: Converter = (node, conversion) => {
  const attributes = {
    exclusive: boolAttr(node, 'exclusive') ? 1 : 0,
    reverse: boolAttr(node, 'reverse') ? 1 : 0,
  };
  const axis = conversion.onnx.integers([conversion.constantInput(node, 1).data[0] ?? 0], []);
  conversion.set(node, conversion.onnx.node('CumSum', [conversion.input(node), axis], attributes));
};

/** Operations that look at many elements of one tensor. */
export const REDUCTIONS: Readonly<Record<string, Converter>> = {
  Mean: reduce('ReduceMean'),
  Sum: reduce('ReduceSum'),
  Max: reduce('ReduceMax'),
  Min: reduce('ReduceMin'),
  Prod: reduce('ReduceProd'),
  All: reduceBool('ReduceMin'),
  Any: reduceBool('ReduceMax'),
  ArgMax: argument('ArgMax'),
  ArgMin: argument('ArgMin'),
  TopKV2: topK,
  Softmax: softmax('Softmax'),
  LogSoftmax: softmax('LogSoftmax'),
  Cumsum: cumulativeSum,
};
