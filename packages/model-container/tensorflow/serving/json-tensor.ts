import { tensorOfNumbers } from '@inferdrop/savedmodel/internal/tensor-of-numbers';
import type { DType, Tensor } from '@inferdrop/savedmodel/servable-model';
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from './json-document.ts';
import { toJsonTypeName, toPrettyJson } from './json-writer.ts';
import { invalidArgument, type ServingError, ServingError as ServingFailure } from './serving-error.ts';

/** TensorFlow's `DataTypeString`. */
export function toDataTypeName(dtype: DType): string {
  if (dtype === 'float32') return 'float';
  if (dtype === 'float64') return 'double';
  return dtype === 'float16' ? 'half' : dtype;
}

/** `{"b64": "…"}` with no other key. */
export function isBase64Object(value: JsonValue | undefined): value is JsonObject & { readonly b64: string } {
  return isJsonObject(value) && typeof value['b64'] === 'string' && Object.keys(value).length === 1;
}

/** Shape by the first element of each level, as TensorFlow Serving measures it. */
export function measureShape(value: JsonValue): number[] {
  const shape: number[] = [];
  for (let level: JsonValue | undefined = value; isJsonArray(level); level = level[0])
    shape.push(level.length);
  return shape;
}

type Leaf = number | bigint | Uint8Array;

/** Values of one tensor in row-major order, filled from several JSON values of one shape. */
export class JsonTensor {
  readonly dtype: DType;
  readonly shape: readonly number[];
  private readonly leaves: Leaf[] = [];

  constructor(dtype: DType, shape: readonly number[]) {
    this.dtype = dtype;
    this.shape = shape;
  }

  /** @throws {ServingError} with TensorFlow Serving's words, if the value has another shape or type */
  add(value: JsonValue, level = 0): void {
    const rank = this.shape.length;
    if (!isJsonArray(value)) {
      if (level !== rank)
        throw invalidArgument(
          `JSON Value: ${toPrettyJson(value)} found at incorrect level: ${level + 1} in the JSON DOM. Expected at level: ${rank}`,
        );
      this.leaves.push(toLeaf(value, this.dtype));
      return;
    }
    if (level >= rank)
      throw invalidArgument(`Encountered list at unexpected level: ${level} expected < ${rank}`);
    const expected = this.shape[level] ?? 0;
    if (value.length !== expected)
      throw invalidArgument(
        `Encountered list at unexpected size: ${value.length} at level: ${level} expected size: ${expected}`,
      );
    for (const element of value) this.add(element, level + 1);
  }

  toTensor(shape: readonly number[]): Tensor {
    const { dtype } = this;
    if (dtype === 'string')
      return { dtype, shape, data: this.leaves.filter((leaf) => leaf instanceof Uint8Array) };
    if (dtype === 'uint16' || dtype === 'float16')
      throw new ServingFailure('UNIMPLEMENTED', `Conversion of JSON Value to type: ${toDataTypeName(dtype)}`);
    return tensorOfNumbers(
      dtype,
      shape,
      this.leaves.filter((leaf): leaf is number | bigint => !(leaf instanceof Uint8Array)),
    );
  }
}

function toLeaf(value: JsonValue, dtype: DType): Leaf {
  switch (dtype) {
    case 'string':
      return toBytes(value);
    case 'float32':
    case 'float64':
      return toFloat(value, dtype);
    case 'int8':
    case 'uint8':
    case 'int16':
    case 'int32':
      return Number(toInteger(value, dtype, -(2n ** 31n), 2n ** 31n - 1n));
    case 'uint32':
      return Number(toInteger(value, dtype, 0n, 2n ** 32n - 1n));
    case 'int64':
      return toInteger(value, dtype, -(2n ** 63n), 2n ** 63n - 1n);
    case 'uint64':
      return toInteger(value, dtype, 0n, 2n ** 64n - 1n);
    case 'bool':
      if (typeof value !== 'boolean') throw typeError(value, dtype);
      return value ? 1 : 0;
    case 'uint16':
    case 'float16':
      throw new ServingFailure(
        'UNIMPLEMENTED',
        `Conversion of JSON Value: ${toPrettyJson(value)} to type: ${toDataTypeName(dtype)}`,
      );
  }
}

const BASE64 = /^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/;

/** Text in UTF-8, or the bytes of `{"b64": …}`. @throws {ServingError} for any other value */
export function toBytes(value: JsonValue): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  if (!isJsonObject(value)) throw typeError(value, 'string');
  if (!isBase64Object(value))
    throw invalidArgument(`JSON Value: ${toPrettyJson(value)} not formatted correctly for base64 data`);
  if (!BASE64.test(value.b64)) throw invalidArgument('Unable to base64 decode');
  return Buffer.from(value.b64, 'base64');
}

function toFloat(value: JsonValue, dtype: 'float32' | 'float64'): number {
  const number = value instanceof JsonNumber ? value.value : value;
  if (typeof number !== 'number') throw typeError(value, dtype);
  if (!Number.isFinite(number)) return number;
  const isInteger = value instanceof JsonNumber ? value.isInteger : Number.isInteger(number);
  const largest = isInteger
    ? 2 ** (dtype === 'float32' ? 24 : 53) - 1
    : dtype === 'float32'
      ? 3.4028234663852886e38
      : Number.MAX_VALUE;
  if (
    Math.abs(number) <= largest ||
    (isInteger && Math.abs(number) > 2 ** 64 && Math.fround(number) !== Infinity)
  )
    return number;
  throw invalidArgument(
    `Cannot convert JSON value: ${toPrettyJson(value)} to ${toDataTypeName(dtype)} without loss of precision.`,
  );
}

function toInteger(value: JsonValue, dtype: DType, least: bigint, most: bigint): bigint {
  const text = value instanceof JsonNumber ? value.text : String(value);
  const isNumber = value instanceof JsonNumber ? value.isInteger : Number.isSafeInteger(value);
  if (!isNumber) throw typeError(value, dtype);
  const integer = BigInt(text);
  if (integer < least || integer > most) throw typeError(value, dtype);
  return integer;
}

function typeError(value: JsonValue, dtype: DType): ServingError {
  return invalidArgument(
    `JSON Value: ${toPrettyJson(value)} Type: ${toJsonTypeName(value)} is not of expected type: ${toDataTypeName(dtype)}`,
  );
}
