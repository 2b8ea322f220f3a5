import { unsupported } from '../../savedmodel/graph-node.ts';
import { BrokenModel } from '../../savedmodel/servable-model.ts';
import { hostTensorOf } from '../host-tensor.ts';
import type { TextOperation } from './text-operation.ts';
import { keyOf } from './texts.ts';

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
