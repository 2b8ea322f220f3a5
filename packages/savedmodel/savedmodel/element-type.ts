import { BFLOAT16, BFLOAT16_BYTES } from './bfloat16.ts';
import { type DType, UnsupportedModel } from './servable-model.ts';

/** `tensorflow.DataType` by number; what is missing here is not supported. bfloat16 is computed in float32. */
const BY_NUMBER: ReadonlyMap<number, DType> = new Map([
  [1, 'float32'],
  [2, 'float64'],
  [3, 'int32'],
  [4, 'uint8'],
  [5, 'int16'],
  [6, 'int8'],
  [7, 'string'],
  [9, 'int64'],
  [10, 'bool'],
  [BFLOAT16, 'float32'],
  [17, 'uint16'],
  [19, 'float16'],
  [22, 'uint32'],
  [23, 'uint64'],
]);

/** Types that are refused, as TensorFlow names them. */
const REFUSED: Readonly<Record<number, string>> = {
  8: 'complex64',
  11: 'qint8',
  12: 'quint8',
  13: 'qint32',
  15: 'qint16',
  16: 'quint16',
  18: 'complex128',
  20: 'resource',
  21: 'variant',
};

/** Element types of a fixed size. */
export const DENSE_TYPES = [
  'float32',
  'float64',
  'float16',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'bool',
] as const;

/** Whether it names an element type of fixed width, as all but strings are. */
export function isDenseType(name: string): name is Exclude<DType, 'string'> {
  return DENSE_TYPES.some((type) => type === name);
}

const SIZE_BYTES: Readonly<Record<Exclude<DType, 'string'>, number>> = {
  float32: 4,
  float64: 8,
  int32: 4,
  uint8: 1,
  int16: 2,
  int8: 1,
  int64: 8,
  bool: 1,
  uint16: 2,
  float16: 2,
  uint32: 4,
  uint64: 8,
};

/**
 * The element type that a `tensorflow.DataType` number stands for; the reference types of TensorFlow 1 are 100 higher.
 *
 * @throws {UnsupportedModel} for a type that has no counterpart
 */
export function resolveElementType(number: number, where: string): DType {
  const type = BY_NUMBER.get(valueType(number));
  if (type === undefined) throw new UnsupportedModel([`tensors of ${nameOf(number)}`], where);
  return type;
}

/**
 * The element type of a signature's tensor. No request to TensorFlow Serving's REST API holds one of the types that are refused.
 *
 * @throws {UnsupportedModel}
 */
export function resolveSignatureType(number: number, where: string): DType {
  if (number === BFLOAT16 || !BY_NUMBER.has(valueType(number)))
    throw new UnsupportedModel([`${nameOf(number)} in a signature`], where, EXPORT_OTHERWISE);
  return resolveElementType(number, where);
}

const EXPORT_OTHERWISE =
  'no request can hold it, on AWS either: export the model with inputs and outputs of numbers such as float32, or strings';

function valueType(number: number): number {
  return number > 100 ? number - 100 : number;
}

function nameOf(number: number): string {
  return number === BFLOAT16 ? 'bfloat16' : (REFUSED[number] ?? `DataType ${number}`);
}

/** Bytes of one element in a file; bfloat16 takes half as many there as in memory. */
export function storedSizeBytes(number: number, dtype: Exclude<DType, 'string'>): number {
  return number === BFLOAT16 ? BFLOAT16_BYTES : elementSizeBytes(dtype);
}

/** Bytes of one element. */
export function elementSizeBytes(dtype: Exclude<DType, 'string'>): number {
  return SIZE_BYTES[dtype];
}
