import { boolAttr, type GraphNode } from '../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../savedmodel/servable-model.ts';
import { type HostTensor, hostTensorOf, newHostTensor } from './host-tensor.ts';
import type { TextOperation } from './text/text-operation.ts';

function refused({ name, op }: GraphNode, what: string): InvalidFeeds {
  return new InvalidFeeds(`Node ${name} (${op}): ${what}`);
}

/** Indices as rows of a matrix: a scalar or a vector are places in a vector. */
function placesOf({ shape, data }: HostTensor): { readonly rank: number; readonly rows: number[][] } {
  const rank = shape.length === 2 ? (shape[1] ?? 0) : 1;
  const count = shape.length === 0 ? 1 : (shape[0] ?? 0);
  const rows = Array.from({ length: count }, (_, row) => [...data.subarray(row * rank, (row + 1) * rank)]);
  return { rank, rows };
}

/** https://www.tensorflow.org/api_docs/python/tf/raw_ops/SparseToDense */
const toDense: TextOperation = ({ node, input }) => {
  const [indices, shape, values, filler] = [input(0), Array.from(input(1).data), input(2), input(3)];
  const { rank, rows } = placesOf(indices);
  if (rank !== shape.length) throw refused(node, `places of ${rank} axes in ${shape.length}`);
  if (values.shape.length > 0 && values.data.length !== rows.length)
    throw refused(node, `${values.data.length} values for ${rows.length} places`);
  if (filler.data.length !== 1 || filler.shape.length > 0) throw refused(node, 'the default is not a scalar');
  const result = newHostTensor(values.dtype, shape);
  result.data.fill(filler.data[0] ?? 0);
  let before = -1;
  rows.forEach((row, index) => {
    const place = placeIn(row, shape, node);
    if (boolAttr(node, 'validate_indices', true) && place <= before)
      throw refused(node, `the places [${row.join(', ')}] are out of order, or twice`);
    before = place;
    result.data[place] = values.data[values.shape.length === 0 ? 0 : index] ?? 0;
  });
  return result;
};

function placeIn(row: readonly number[], shape: readonly number[], node: GraphNode): number {
  return row.reduce((place, index, axis) => {
    const size = shape[axis] ?? 0;
    if (!(index >= 0 && index < size))
      throw refused(node, `the place [${row.join(', ')}] is outside of [${shape.join(', ')}]`);
    return place * size + index;
  }, 0);
}

/** A row without values gets the default; also which rows those are, and where each value went. */
const fillEmptyRows: TextOperation = ({ node, input }) => {
  const [indices, values, shape, filler] = [input(0), input(1), input(2), input(3)];
  const { rank, rows } = placesOf(indices);
  const [count = 0] = shape.data;
  const members: number[][] = Array.from({ length: count }, () => []);
  rows.forEach(([row = -1], index) => {
    const own = members[row];
    if (own === undefined) throw refused(node, `row ${row} is outside the ${count} rows`);
    own.push(index);
  });
  const places: number[] = [];
  const filled: number[] = [];
  const moved = new Array<number>(rows.length).fill(0);
  members.forEach((own, row) => {
    if (own.length === 0) {
      places.push(row, ...new Array<number>(rank - 1).fill(0));
      filled.push(filler.data[0] ?? 0);
    }
    for (const index of own) {
      moved[index] = filled.length;
      places.push(...(rows[index] ?? []));
      filled.push(values.data[index] ?? 0);
    }
  });
  return [
    hostTensorOf('int64', [filled.length, rank], places),
    hostTensorOf(values.dtype, [filled.length], filled),
    hostTensorOf(
      'bool',
      [count],
      members.map((own) => Number(own.length === 0)),
    ),
    hostTensorOf('int64', [rows.length], moved),
  ];
};

/** The same values at the places that they have in a tensor of another shape. */
const reshape: TextOperation = ({ node, input }) => {
  const [indices, from, given] = [input(0), Array.from(input(1).data), Array.from(input(2).data)];
  const size = from.reduce((product, length) => product * length, 1);
  const known = given.filter((length) => length >= 0).reduce((product, length) => product * length, 1);
  const isOpen = given.includes(-1);
  const wanted = given.map((length) => (length < 0 ? size / known : length));
  const total = wanted.reduce((product, length) => product * length, 1);
  if (total !== size || !wanted.every(Number.isSafeInteger) || (isOpen && known === 0))
    throw refused(node, `[${from.join(', ')}] is not [${given.join(', ')}]`);
  const { rows } = placesOf(indices);
  const places = rows.flatMap((row) => {
    let rest = placeIn(row, from, node);
    return wanted
      .toReversed()
      .map((length) => {
        const index = rest % length;
        rest = (rest - index) / length;
        return index;
      })
      .reverse();
  });
  return [
    hostTensorOf('int64', [rows.length, wanted.length], places),
    hostTensorOf('int64', [wanted.length], wanted),
  ];
};

/** Operations on sparse tensors: places, values, and the shape of the whole. */
export const SPARSE: Readonly<Record<string, TextOperation>> = {
  SparseToDense: toDense,
  SparseFillEmptyRows: fillEmptyRows,
  SparseReshape: reshape,
};
