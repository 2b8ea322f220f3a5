import { ASSERT, assertedMessage } from '../savedmodel/assertions.ts';
import { typeAttr } from '../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../savedmodel/servable-model.ts';
import { type HostTensor, hostTensorOf, newHostTensor, sizeOf } from './host-tensor.ts';
import type { TextOperation } from './text/text-operation.ts';
import { keyOf } from './text/texts.ts';

/** Gives nothing; only its error counts. */
const assertion: TextOperation = ({ node, input }) => {
  if (input(0).data.every((truth) => truth !== 0)) return [];
  throw new InvalidFeeds(`Node ${node.name} (${node.op}): ${assertedMessage(node)}`);
};

/** Assertions about texts. */
export const HOST_ASSERTIONS: Readonly<Record<string, TextOperation>> = { [ASSERT]: assertion };

/** Where a tensor is not zero, in the order of its elements; each row is one element's indices. */
const where: TextOperation = ({ input }) => {
  const { shape, data } = input(0);
  const places: number[] = [];
  data.forEach((value, place) => {
    if (value === 0) return;
    let rest = place;
    const row = shape.toReversed().map((size) => {
      const index = rest % size;
      rest = (rest - index) / size;
      return index;
    });
    places.push(...row.reverse());
  });
  const count = shape.length === 0 ? 0 : places.length / shape.length;
  return hostTensorOf('int64', [count, shape.length], places);
};

/** Elements in the order in which they first occur, and for each element which it is. */
const unique: TextOperation = ({ node, texts, input }) => {
  const { dtype, shape, data } = input(0);
  if (shape.length !== 1) throw new InvalidFeeds(`Node ${node.name} (${node.op}): a vector is wanted`);
  const numbers = new Map<number | string, number>();
  const firsts: number[] = [];
  const which = Array.from(data, (value) => {
    const key = dtype === 'string' ? keyOf(texts.at(value)) : value;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, firsts.length);
    return firsts.push(value) - 1;
  });
  const index = typeAttr(node, 'out_idx', 'int32') === 'int64' ? 'int64' : 'int32';
  return [hostTensorOf(dtype, [firsts.length], firsts), hostTensorOf(index, shape, which)];
};

/** Parts of a tensor, each named by a row of indices. */
const gatherNd: TextOperation = ({ node, input }) => {
  const [tensor, indices] = [input(0), input(1)];
  const depth = indices.shape.at(-1) ?? 0;
  const rest = tensor.shape.slice(depth);
  const size = sizeOf(rest);
  const result = newHostTensor(tensor.dtype, [...indices.shape.slice(0, -1), ...rest]);
  const count = sizeOf(indices.shape.slice(0, -1));
  for (let row = 0; row < count; row++) {
    const own = Array.from(indices.data.subarray(row * depth, (row + 1) * depth));
    const place = own.reduce((sum, index, axis) => {
      const length = tensor.shape[axis] ?? 0;
      if (!(index >= 0 && index < length))
        throw new InvalidFeeds(`Node ${node.name} (${node.op}): index ${index} of ${length}`);
      return sum * length + index;
    }, 0);
    result.data.set(tensor.data.subarray(place * size, (place + 1) * size), row * size);
  }
  return result;
};

/** Repeats a tensor along its axes. */
export const tile: TextOperation = ({ node, input }) => {
  const [tensor, multiples] = [input(0), input(1)];
  if (multiples.data.length !== tensor.shape.length)
    throw new InvalidFeeds(`Node ${node.name} (${node.op}): ${multiples.data.length} multiples`);
  return tensor.shape.reduceRight<HostTensor>((part, size, axis) => {
    const count = multiples.data[axis] ?? 1;
    const inner = size * sizeOf(part.shape.slice(axis + 1));
    const result = newHostTensor(part.dtype, part.shape.with(axis, size * count));
    for (let at = 0; at < result.data.length; at += inner) {
      const start = Math.floor(at / (inner * count)) * inner;
      result.data.set(part.data.subarray(start, start + inner), at);
    }
    return result;
  }, tensor);
};

/** Empty texts, or zeros. */
const zerosLike: TextOperation = ({ texts, input }) => {
  const { dtype, shape, data } = input(0);
  if (dtype !== 'string') return newHostTensor(dtype, shape);
  return texts.hold(
    shape,
    Array.from(data, () => new Uint8Array()),
  );
};

/** Operations that ONNX also computes, but not between two operations on texts. */
export const BETWEEN_TEXTS: Readonly<Record<string, TextOperation>> = {
  Where: where,
  Unique: unique,
  GatherNd: gatherNd,
  Tile: tile,
  ZerosLike: zerosLike,
};
