import { attribute, boolAttr, type GraphNode, typeAttr, unsupported } from '../../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../../savedmodel/servable-model.ts';
import { type HostTensor, hostTensorOf, newHostTensor } from '../host-tensor.ts';
import type { TextOperation } from './text-operation.ts';

/** How the node tells rows apart. */
function rowKind(node: GraphNode): string {
  const types = attribute(node, 'row_partition_types').list?.texts ?? [];
  const kind = types.map((text) => Buffer.from(text).toString()).join(' ');
  if (kind !== 'ROW_SPLITS' && kind !== 'FIRST_DIM_SIZE VALUE_ROWIDS')
    throw unsupported(node, `rows as ${kind}`);
  return kind;
}

/** Start of each row, and the end of the last one. */
function rowSplits(kind: string, node: GraphNode, input: (index: number) => HostTensor): number[] {
  if (kind === 'ROW_SPLITS') return Array.from(input(3).data);
  const rows = input(3).data[0] ?? 0;
  const lengths = new Array<number>(rows).fill(0);
  for (const row of input(4).data) {
    if (row < 0 || row >= rows)
      throw new InvalidFeeds(`Node ${node.name} (${node.op}): row ${row} does not exist`);
    lengths[row] = (lengths[row] ?? 0) + 1;
  }
  const splits = [0];
  for (const length of lengths) splits.push((splits.at(-1) ?? 0) + length);
  return splits;
}

/** Rows of different lengths as a matrix, filled up or cut off. */
const toTensor: TextOperation = ({ node, input }) => {
  const kind = rowKind(node);
  const values = input(1);
  const filler = input(2);
  if (values.shape.length !== 1 || filler.data.length !== 1 || filler.shape.length > 0)
    throw unsupported(node, 'of rows that are not vectors');
  const splits = rowSplits(kind, node, input);
  const lengths = splits.slice(1).map((end, row) => end - (splits[row] ?? 0));
  const [rows = -1, columns = -1] = input(0).shape.length === 0 ? [] : input(0).data;
  const height = rows < 0 ? lengths.length : rows;
  const width = columns < 0 ? lengths.reduce((most, length) => Math.max(most, length), 0) : columns;
  const result = newHostTensor(values.dtype, [height, width]);
  result.data.fill(filler.data[0] ?? 0);
  lengths.slice(0, height).forEach((length, row) => {
    const start = splits[row] ?? 0;
    result.data.set(values.data.subarray(start, start + Math.min(length, width)), row * width);
  });
  return result;
};

function isInteger(tensor: HostTensor, node: GraphNode): HostTensor {
  if (tensor.dtype !== 'int32' && tensor.dtype !== 'int64')
    throw unsupported(node, `of ${tensor.dtype} between texts`);
  return tensor;
}

/** The largest of all elements; of none, the least of the type. */
const largest: TextOperation = ({ node, input }) => {
  const tensor = isInteger(input(0), node);
  const axes = Array.from(input(1).data, (axis) => (axis < 0 ? axis + tensor.shape.length : axis));
  if (new Set(axes).size !== tensor.shape.length || boolAttr(node, 'keep_dims'))
    throw unsupported(node, 'over some axes between texts');
  if (tensor.data.length === 0)
    return hostTensorOf(tensor.dtype, [], [tensor.dtype === 'int32' ? -(2 ** 31) : -(2 ** 53) + 1]);
  return hostTensorOf(tensor.dtype, [], [Array.from(tensor.data).reduce((a, b) => Math.max(a, b))]);
};

const binCount: TextOperation = ({ node, input }) => {
  const values = isInteger(input(0), node);
  if (values.shape.length !== 1 || input(2).data.length > 0 || boolAttr(node, 'binary_output'))
    throw unsupported(node, 'of rows or weights between texts');
  const type = typeAttr(node, 'T');
  if (type === 'string' || type === 'float16') throw unsupported(node, type);
  const result = newHostTensor(type, [input(1).data[0] ?? 0]);
  for (const value of values.data) {
    if (value < 0) throw new InvalidFeeds(`Node ${node.name} (${node.op}): ${value} is negative`);
    if (value < result.data.length) result.data[value] = (result.data[value] ?? 0) + 1;
  }
  return result;
};

/** How often each number is in each row, or whether it is. */
const countRows: TextOperation = ({ node, input }) => {
  const [splits, values] = [Array.from(input(0).data), isInteger(input(1), node)];
  if (input(3).data.length > 0) throw unsupported(node, 'with weights');
  const type = typeAttr(node, 'T');
  if (type === 'string' || type === 'float16') throw unsupported(node, type);
  const size = input(2).data[0] ?? 0;
  const result = newHostTensor(type, [splits.length - 1, size]);
  const isBinary = boolAttr(node, 'binary_output');
  splits.slice(1).forEach((end, row) => {
    for (const value of values.data.subarray(splits[row], end)) {
      if (value < 0) throw new InvalidFeeds(`Node ${node.name} (${node.op}): ${value} is negative`);
      const place = row * size + value;
      if (value < size) result.data[place] = isBinary ? 1 : (result.data[place] ?? 0) + 1;
    }
  });
  return result;
};

const cumulative: TextOperation = ({ node, input }) => {
  const tensor = isInteger(input(0), node);
  if (tensor.shape.length !== 1 || boolAttr(node, 'exclusive') || boolAttr(node, 'reverse'))
    throw unsupported(node, 'of this form between texts');
  let sum = 0;
  return hostTensorOf(
    tensor.dtype,
    tensor.shape,
    Array.from(tensor.data, (value) => (sum += value)),
  );
};

const size: TextOperation = ({ node, input }) => {
  const dtype = typeAttr(node, 'out_type', 'int32') === 'int64' ? 'int64' : 'int32';
  return hostTensorOf(dtype, [], [input(0).data.length]);
};

/** Rows of different lengths. */
export const RAGGED: Readonly<Record<string, TextOperation>> = {
  RaggedTensorToTensor: toTensor,
  RaggedBincount: countRows,
};

/** Integer arithmetic between operations on texts; anywhere else it would cost two more stages. */
export const BESIDE_TEXTS: Readonly<Record<string, TextOperation>> = {
  Max: largest,
  Size: size,
  DenseBincount: binCount,
  Cumsum: cumulative,
};
