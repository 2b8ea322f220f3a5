import { boolAttr, textAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Converter } from './conversion.ts';

const matMul: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const side = (index: number, flag: string) => {
    const input = conversion.input(node, index);
    return boolAttr(node, flag) ? onnx.transpose(input, [1, 0]) : input;
  };
  conversion.set(node, onnx.node('MatMul', [side(0, 'transpose_a'), side(1, 'transpose_b')]));
};

/** `adj_x` and `adj_y` swap the last two axes, and their number is not written down: einsum leaves it open. */
const batchMatMul: Converter = (node, conversion) => {
  const inputs = [conversion.input(node), conversion.input(node, 1)];
  const left = boolAttr(node, 'adj_x') ? '...ji' : '...ij';
  const right = boolAttr(node, 'adj_y') ? '...kj' : '...jk';
  const plain = left === '...ij' && right === '...jk';
  const result = plain
    ? conversion.onnx.node('MatMul', inputs)
    : conversion.onnx.node('Einsum', inputs, { equation: `${left},${right}->...ik` });
  conversion.set(node, result);
};

const einsum: Converter = (node, conversion) => {
  const equation = textAttr(node, 'equation');
  if (!/^[a-zA-Z.]+(,[a-zA-Z.]+)*->[a-zA-Z.]*$/.test(equation)) throw unsupported(node, equation);
  const inputs = node.inputs.map((ref) => conversion.value(ref));
  conversion.set(node, conversion.onnx.node('Einsum', inputs, { equation }));
};

export const MATRICES: Readonly<Record<string, Converter>> = {
  MatMul: matMul,
  BatchMatMul: batchMatMul,
  BatchMatMulV2: batchMatMul,
  BatchMatMulV3: batchMatMul,
  Einsum: einsum,
};
