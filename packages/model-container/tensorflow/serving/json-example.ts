import { WireWriter } from '@inferdrop/savedmodel/internal/wire-writer';
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from './json-document.ts';
import { isBase64Object, toBytes } from './json-tensor.ts';
import { toJsonTypeName, toPrettyJson } from './json-writer.ts';
import { invalidArgument, type ServingError } from './serving-error.ts';

/** The lists of `tensorflow.Feature` by their field. */
const FIELDS = { bytes: 1, float: 2, int64: 3 } as const;
type Kind = keyof typeof FIELDS;
type Item = { readonly kind: Kind; write(list: WireWriter): void };

const MAX_FLOAT = 3.4028234663852886e38;

/**
 * An object of features as a serialized `tensorflow.Example`: whole numbers and truth values are int64, other numbers floats, texts and
 * `{"b64": …}` bytes.
 *
 * @throws {ServingError} in TensorFlow Serving's words
 */
export function toExample(value: JsonValue): Uint8Array {
  if (!isJsonObject(value))
    throw invalidArgument(`Example must be JSON object but got JSON ${toJsonTypeName(value)}`);
  const features = new WireWriter();
  for (const [name, content] of Object.entries(value)) {
    const entry = new WireWriter();
    entry.text(1, name);
    entry.message(2, toFeature(name, isJsonArray(content) ? content : [content]));
    features.message(1, entry);
  }
  const example = new WireWriter();
  example.message(1, features);
  return example.toBytes();
}

function toFeature(name: string, values: readonly JsonValue[]): WireWriter {
  const list = new WireWriter();
  let kind: Kind | undefined;
  for (const value of values) {
    const item = toItem(name, value);
    if (kind !== undefined && kind !== item.kind)
      throw invalidArgument(`Unexpected element type in feature: ${name} expecting type: ${kind}`);
    kind = item.kind;
    item.write(list);
  }
  const feature = new WireWriter();
  if (kind !== undefined) feature.message(FIELDS[kind], list);
  return feature;
}

function toItem(name: string, value: JsonValue): Item {
  if (typeof value === 'boolean') return int64(value ? 1n : 0n);
  if (typeof value === 'string' || isBase64Object(value)) return bytes(value);
  if (value instanceof JsonNumber) return value.isInteger ? toInteger(name, value) : toFloat(value);
  throw invalidArgument(`Feature: ${name} has element with unexpected JSON type: ${toJsonTypeName(value)}`);
}

function bytes(value: string | JsonObject): Item {
  const content = toBytes(value);
  return { kind: 'bytes', write: (list) => list.bytes(1, content) };
}

function int64(value: bigint): Item {
  return { kind: 'int64', write: (list) => list.int(1, value) };
}

/** An integer, or the float that the parser makes of a number that no 64 bits hold. */
function toInteger(name: string, value: JsonNumber): Item {
  const integer = BigInt(value.text);
  if (integer < -(2n ** 63n) || integer >= 2n ** 64n) return toFloat(value);
  if (integer >= 2n ** 63n)
    throw invalidArgument(`Feature: ${name} has uint64 element. Only int64 is supported.`);
  return int64(integer);
}

function toFloat(value: JsonNumber): Item {
  const number = value.value;
  if (Number.isFinite(number) && Math.abs(number) > MAX_FLOAT) throw lossy(value);
  return { kind: 'float', write: (list) => list.float(1, number) };
}

function lossy(value: JsonNumber): ServingError {
  return invalidArgument(
    `Cannot convert JSON value: ${toPrettyJson(value)} to float without loss of precision.`,
  );
}
