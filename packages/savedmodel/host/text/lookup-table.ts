import { BrokenModel, type Tensor } from '../../savedmodel/servable-model.ts';
import { type HostDType, isExactOnHost } from '../host-tensor.ts';
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
