import { BrokenModel, type Tensor } from '../../engine/servable-model.ts';
import type { TextOperation } from './text-operation.ts';
import { hostTensorOf, isExactOnHost, type HostDType } from '../host-tensor.ts';
import { unsupported } from '../../savedmodel/graph-node.ts';
import { keyOf } from './texts.ts';

/** A table from text or integers to text or numbers. */
export interface LookupTable {
  readonly keyType: 'string' | 'number';
  readonly values: ReadonlyMap<string | number, Uint8Array | number>;
  readonly valueType: HostDType;
}

/** @throws {BrokenModel} if there are more keys than values, or the other way round */
export function tableOf(keys: Tensor, values: Tensor, where: string): LookupTable {
  if (keys.data.length !== values.data.length || values.dtype === 'float16')
    throw new BrokenModel(
      `Table ${where}: ${keys.data.length} keys, ${values.data.length} values of ${values.dtype}`,
    );
  if (!isExactOnHost(keys) || !isExactOnHost(values))
    throw new BrokenModel(`Table ${where}: integers beyond 2^53`);
  const places = Array.from<unknown, string | number>(keys.data, (key) =>
    key instanceof Uint8Array ? keyOf(key) : Number(key),
  );
  const items = Array.from<unknown, Uint8Array | number>(values.data, (value) =>
    value instanceof Uint8Array ? value : Number(value),
  );
  return {
    keyType: keys.dtype === 'string' ? 'string' : 'number',
    values: new Map(places.map((key, index) => [key, items[index] ?? 0])),
    valueType: values.dtype,
  };
}

const find: TextOperation = ({ node, texts, input, table }) => {
  const { keyType, values, valueType } = table();
  const [keys, absent] = [input(1), input(2)];
  if (absent.data.length !== 1) throw unsupported(node, 'with several defaults');
  if ((keys.dtype === 'string') !== (keyType === 'string') || absent.dtype !== valueType)
    throw new BrokenModel(`Node ${node.name} (${node.op}): the table has other types`);
  const found = Array.from(keys.data, (key) => values.get(keyType === 'string' ? keyOf(texts.at(key)) : key));
  if (valueType === 'string') {
    const other = texts.at(absent.data[0] ?? -1);
    return texts.hold(
      keys.shape,
      found.map((value) => (value instanceof Uint8Array ? value : other)),
    );
  }
  const other = absent.data[0] ?? 0;
  return hostTensorOf(
    valueType,
    keys.shape,
    found.map((value) => (typeof value === 'number' ? value : other)),
  );
};

const count: TextOperation = ({ table }) => hostTensorOf('int64', [], [table().values.size]);

/** Operations on tables. */
export const LOOKUPS: Readonly<Record<string, TextOperation>> = {
  LookupTableFind: find,
  LookupTableFindV2: find,
  LookupTableSizeV2: count,
};
