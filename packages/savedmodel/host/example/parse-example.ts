import { resolveElementType } from '../../savedmodel/element-type.ts';
import { attribute, type GraphNode, intAttr } from '../../savedmodel/graph-node.ts';
import { BrokenModel, type DType, InvalidFeeds } from '../../savedmodel/servable-model.ts';
import type { Shape } from '../../savedmodel/tensor-proto.ts';
import { type HostTensor, hostTensorOf, sizeOf } from '../host-tensor.ts';
import type { TextOperation, TextScope } from '../text/text-operation.ts';
import { keyOf, type Texts } from '../text/texts.ts';
import { type Example, type Feature, type Item, readExample } from './example-proto.ts';

/** Outputs that the operation makes of the features: types are in the order of the names. */
interface Wanted {
  readonly sparse: readonly string[];
  readonly dense: readonly string[];
  readonly ragged: readonly string[];
  /** Index of the first default among the node's inputs. */
  readonly defaults: number;
}

/** Whether the node reads examples. */
export function isExampleParser({ op }: GraphNode): boolean {
  return op in EXAMPLES;
}

/** Element types of all outputs, in their order. */
export function exampleTypes(node: GraphNode): DType[] {
  const types = (name: string) =>
    (node.attributes.get(name)?.list?.types ?? []).map((type) => resolveElementType(type, node.name));
  const sparse = types('sparse_types');
  const coordinates = sparse.map(() => 'int64' as const);
  return [
    ...coordinates,
    ...sparse,
    ...coordinates,
    ...types('Tdense'),
    ...types('ragged_value_types'),
    ...types('ragged_split_types'),
  ];
}

/** Known part of an output's shape. @param batch shape of the serialized examples */
export function exampleShape(node: GraphNode, index: number, batch: Shape): Shape {
  const sparse = node.attributes.get('sparse_types')?.list?.types.length ?? 0;
  if (batch === null) return null;
  if (index < sparse) return [-1, batch.length + 1];
  if (index < 2 * sparse) return [-1];
  if (index < 3 * sparse) return [batch.length + 1];
  const dense = attribute(node, 'dense_shapes').list?.shapes ?? [];
  const shape = dense[index - 3 * sparse];
  return shape === undefined ? [-1] : shape && [...batch, ...shape];
}

const parse =
  (resolve: (scope: TextScope) => Wanted): TextOperation =>
  (scope) => {
    const { node, texts, input } = scope;
    const where = `Node ${node.name} (${node.op})`;
    const { shape: batch } = input(0);
    if (batch.length > 1)
      throw new InvalidFeeds(
        `${where}: the examples must be a scalar or a vector, not [${batch.join(', ')}]`,
      );
    const examples = texts.of(input(0)).map((bytes) => readExample(bytes, where));
    const { sparse, dense, ragged, defaults } = resolve(scope);
    const types = exampleTypes(node);
    const lists = (name: string, place: number) => {
      const dtype = types[place] ?? 'float32';
      return examples.map((example) => featureOf(example, name, dtype, where)?.values);
    };
    const dtypeAt = (place: number) => hostType(types[place], where);
    const sparses = sparse.map((name, i) =>
      toSparse(lists(name, sparse.length + i), batch, dtypeAt(sparse.length + i), texts),
    );
    const before = 3 * sparse.length;
    const shapes = attribute(node, 'dense_shapes').list?.shapes ?? [];
    const denses = dense.map((name, i) => {
      const shape = shapes[i] ?? null;
      if (shape === null) throw new BrokenModel(`${where}: feature ${name} has no shape`);
      const filler = input(defaults + i);
      const rowsOf = shape[0] === -1 ? paddedRows : equalRows;
      const fillers = elementsOf(filler, texts);
      const made = rowsOf(lists(name, before + i), shape, fillers, filler.shape, `${where}: ${name}`);
      return shaped([...batch, ...made.shape], made.values, filler.dtype, texts);
    });
    const place = before + dense.length;
    const raggeds = ragged.map((name, i) => {
      const given = lists(name, place + i);
      const ends = [0];
      for (const values of given) ends.push((ends.at(-1) ?? 0) + (values?.length ?? 0));
      const splits = batch.length === 0 ? [] : ends;
      return {
        values: hold(allItems(given), dtypeAt(place + i), texts),
        splits: hostTensorOf(dtypeAt(place + ragged.length + i), [splits.length], splits),
      };
    });
    return [
      ...sparses.map(({ indices }) => indices),
      ...sparses.map(({ values }) => values),
      ...sparses.map(({ shape }) => shape),
      ...denses,
      ...raggeds.map(({ values }) => values),
      ...raggeds.map(({ splits }) => splits),
    ];
  };

type Values = readonly Item[] | undefined;

function hostType(dtype: DType | undefined, where: string): HostTensor['dtype'] {
  if (dtype === undefined || dtype === 'float16') throw new BrokenModel(`${where}: a feature of ${dtype}`);
  return dtype;
}

function featureOf(example: Example, name: string, dtype: DType, where: string): Feature | undefined {
  const feature = example.get(name);
  if (feature !== undefined && feature.dtype !== dtype)
    throw new InvalidFeeds(`${where}: feature ${name} must be ${dtype}, is ${feature.dtype}`);
  return feature;
}

function hold(values: readonly Item[], dtype: HostTensor['dtype'], texts: Texts) {
  return shaped([values.length], values, dtype, texts);
}

function shaped(
  shape: readonly number[],
  values: readonly Item[],
  dtype: HostTensor['dtype'],
  texts: Texts,
): HostTensor {
  if (dtype !== 'string') return hostTensorOf(dtype, shape, values.map(Number));
  return texts.hold(
    shape,
    values.filter((value) => value instanceof Uint8Array),
  );
}

function allItems(lists: readonly Values[]): Item[] {
  return lists.flatMap((list): readonly Item[] => list ?? []);
}

function toSparse(
  lists: readonly Values[],
  batch: readonly number[],
  dtype: HostTensor['dtype'],
  texts: Texts,
) {
  const values = allItems(lists);
  const indices = lists.flatMap((list, row) =>
    Array.from(list ?? [], (_, column) => (batch.length === 0 ? [column] : [row, column])).flat(),
  );
  const rank = batch.length + 1;
  return {
    indices: hostTensorOf('int64', [values.length, rank], indices),
    values: hold(values, dtype, texts),
    shape: hostTensorOf('int64', [rank], [...batch, longest(lists)]),
  };
}

/** Values of dense features, row after row, and the shape of a row. */
type Rows = (
  lists: readonly Values[],
  shape: readonly number[],
  fillers: readonly Item[],
  fillerShape: readonly number[],
  where: string,
) => { readonly shape: readonly number[]; readonly values: readonly Item[] };

/** Rows of one shape; the default stands for a feature that is not there. */
const equalRows: Rows = (lists, shape, fillers, fillerShape, where) => {
  const size = sizeOf(shape);
  if (fillers.length > 0 && fillerShape.join() !== shape.join())
    throw new InvalidFeeds(`${where}: the default has shape [${fillerShape.join(', ')}]`);
  const values = lists.flatMap((list): readonly Item[] => {
    if (list === undefined && fillers.length === 0 && size > 0)
      throw new InvalidFeeds(`${where} is required but could not be found`);
    const row = list ?? fillers;
    if (row.length !== size) throw new InvalidFeeds(`${where} has ${row.length} values, must have ${size}`);
    return row;
  });
  return { shape, values };
};

/** Rows of different lengths, filled up to the longest. */
const paddedRows: Rows = (lists, shape, fillers, _, where) => {
  const rest = shape.slice(1);
  const stride = sizeOf(rest);
  const [padding] = fillers;
  if (padding === undefined || fillers.length !== 1)
    throw new InvalidFeeds(`${where}: the default must be a single element`);
  const odd = lists.find((list) => list !== undefined && list.length % stride !== 0);
  if (odd !== undefined)
    throw new InvalidFeeds(`${where} has ${odd.length} values, which is not a multiple of ${stride}`);
  const length = longest(lists);
  const values = lists.flatMap((list) => Array.from({ length }, (_, index) => list?.[index] ?? padding));
  return { shape: [stride === 0 ? 0 : length / stride, ...rest], values };
};

function longest(lists: readonly Values[]): number {
  return lists.reduce((most, list) => Math.max(most, list?.length ?? 0), 0);
}

function elementsOf(tensor: HostTensor, texts: Texts): readonly Item[] {
  return tensor.dtype === 'string' ? texts.of(tensor) : Array.from(tensor.data);
}

function namesIn(tensor: HostTensor, texts: Texts): string[] {
  return texts.of(tensor).map(keyOf);
}

function namesOf(node: GraphNode, name: string): string[] {
  return (attribute(node, name).list?.texts ?? []).map(keyOf);
}

/** https://www.tensorflow.org/api_docs/python/tf/io/parse_example */
export const EXAMPLES: Readonly<Record<string, TextOperation>> = {
  ParseExample: parse(({ node, texts, input }) => {
    const [sparse, dense] = [intAttr(node, 'Nsparse'), intAttr(node, 'Ndense')];
    const names = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => namesIn(input(from + index), texts)).flat();
    return {
      sparse: names(2, sparse),
      dense: names(2 + sparse, dense),
      ragged: [],
      defaults: 2 + sparse + dense,
    };
  }),
  ParseExampleV2: parse(({ texts, input }) => ({
    sparse: namesIn(input(2), texts),
    dense: namesIn(input(3), texts),
    ragged: namesIn(input(4), texts),
    defaults: 5,
  })),
  ParseSingleExample: parse(({ node }) => ({
    sparse: namesOf(node, 'sparse_keys'),
    dense: namesOf(node, 'dense_keys'),
    ragged: [],
    defaults: 1,
  })),
};
