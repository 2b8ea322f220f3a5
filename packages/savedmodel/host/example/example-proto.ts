import { InvalidFeeds } from '../../savedmodel/servable-model.ts';
import { WireReader } from '../../savedmodel/wire-reader.ts';

/** A value of a feature: integers are exact up to 2^53. */
export type Item = number | Uint8Array;

/** `tensorflow.Feature`: a list of one kind. */
export interface Feature {
  readonly dtype: 'string' | 'float32' | 'int64';
  readonly values: readonly Item[];
}

/** Features by name, a character a byte; one without a kind is absent. */
export type Example = ReadonlyMap<string, Feature>;

const KINDS = { 1: 'string', 2: 'float32', 3: 'int64' } as const;

/**
 * Reads a serialized `tensorflow.Example`; of features with one name the last counts, as TensorFlow has it.
 *
 * @throws {InvalidFeeds} if the bytes are damaged, or an integer is beyond 2^53
 */
export function readExample(bytes: Uint8Array, where: string): Example {
  try {
    return readFeatures(bytes);
  } catch (error) {
    if (error instanceof InvalidFeeds) throw error;
    throw new InvalidFeeds(`${where}: could not parse example input: ${String(error)}`);
  }
}

function readFeatures(bytes: Uint8Array): Example {
  const example = new Map<string, Feature>();
  const message = new WireReader(bytes);
  while (message.next()) {
    if (message.field !== 1) continue;
    const features = message.message();
    while (features.next()) {
      if (features.field !== 1) continue;
      const entry = features.message();
      let name = '';
      let value: Uint8Array = new Uint8Array();
      while (entry.next()) {
        if (entry.field === 1) name = Buffer.from(entry.bytes()).toString('latin1');
        else if (entry.field === 2) value = entry.bytes();
      }
      const feature = readFeature(value);
      if (feature !== undefined) example.set(name, feature);
    }
  }
  return example;
}

function readFeature(bytes: Uint8Array): Feature | undefined {
  const message = new WireReader(bytes);
  let feature: Feature | undefined;
  while (message.next()) {
    const { field } = message;
    if (field !== 1 && field !== 2 && field !== 3) throw new TypeError('unsupported datatype');
    feature = readList(KINDS[field], message.message());
  }
  return feature;
}

function readList(dtype: Feature['dtype'], list: WireReader): Feature {
  const texts: Uint8Array[] = [];
  const numbers: number[] = [];
  const integers: bigint[] = [];
  while (list.next()) {
    if (list.field !== 1) continue;
    if (dtype === 'string') texts.push(list.bytes());
    else if (dtype === 'float32') list.floats(numbers);
    else list.ints(integers);
  }
  if (dtype === 'string') return { dtype, values: texts };
  for (const integer of integers) {
    numbers.push(Number(integer));
    if (!Number.isSafeInteger(Number(integer)))
      throw new InvalidFeeds(`The host computes with integers up to 2^53 only, an example has ${integer}`);
  }
  return { dtype, values: numbers };
}
