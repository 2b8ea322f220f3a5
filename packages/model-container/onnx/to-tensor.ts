import { tensorOfNumbers } from '@inferdrop/savedmodel/internal/tensor-of-numbers';
import type { DType, Tensor, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import { refuse } from './request-refused.ts';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Beyond it a JSON number may stand for its neighbor. */
const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

/** Least and greatest of each integer type, as far as JSON can say it. */
const RANGES: Partial<Record<DType, readonly [least: number, greatest: number]>> = {
  int8: [-128, 127],
  int16: [-32_768, 32_767],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-MAX_INTEGER, MAX_INTEGER],
  uint8: [0, 255],
  uint16: [0, 65_535],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, MAX_INTEGER],
};

/** Numbers, truth values or texts in row-major order, with their shape. */
export interface Flat {
  readonly shape: readonly number[];
  readonly values: readonly (number | boolean | string)[];
}

/** Elements of nested lists; null is NaN, a number that is missing. @throws {RequestRefused} */
export function flatten(spec: TensorSpec, value: Json): Flat {
  const shape: number[] = [];
  for (let level = value; isList(level); level = level[0] ?? null) {
    shape.push(level.length);
    if (level.length === 0) break;
  }
  const values: (number | boolean | string)[] = [];
  const walk = (part: Json, depth: number): void => {
    if (isList(part)) {
      if (part.length !== shape[depth]) refuse(`the lists for input ${spec.name} have different lengths`);
      for (const item of part) walk(item, depth + 1);
    } else if (depth !== shape.length) refuse(`the lists for input ${spec.name} have different depths`);
    else values.push(element(spec, part));
  };
  walk(value, 0);
  return { shape, values };
}

function element({ name, dtype }: TensorSpec, value: Json): number | boolean | string {
  if (dtype === 'string' && typeof value === 'string') return value;
  if (dtype === 'bool' && typeof value === 'boolean') return value;
  if (dtype === 'float32' || dtype === 'float64') {
    if (value === null) return NaN;
    if (typeof value === 'number') return value;
  } else if (typeof value === 'number' && Number.isInteger(value)) {
    const [least = 0, greatest = -1] = RANGES[dtype] ?? [];
    if (value >= least && value <= greatest) return value;
  }
  return refuse(`input ${name} takes ${dtype}, and the request has ${JSON.stringify(value).slice(0, 100)}`);
}

/** The shape as a batch: a single record becomes a batch of one, and a column of numbers a batch of rows. @throws {RequestRefused} */
export function fit({ name, shape: wanted }: TensorSpec, shape: readonly number[]): readonly number[] {
  if (wanted === null) return shape;
  const fits = (found: readonly number[]): boolean =>
    found.length === wanted.length &&
    wanted.every((size, axis) => axis === 0 || size < 0 || size === found[axis]);
  const found = [shape, [1, ...shape], [...shape, 1]].find(fits);
  return (
    found ?? refuse(`input ${name} takes the shape ${shown(wanted)}, and the request has ${shown(shape)}`)
  );
}

/** The shape in words; sizes that are open are `?`. */
export function shown(shape: readonly number[]): string {
  return `[${shape.map((size) => (size < 0 ? '?' : String(size))).join(', ')}]`;
}

/** A tensor of elements that fit its type. */
export function toTensor({ dtype }: TensorSpec, shape: readonly number[], values: Flat['values']): Tensor {
  if (dtype === 'string') return { dtype, shape, data: values.map((value) => Buffer.from(String(value))) };
  if (dtype === 'float16') throw new TypeError('an ONNX model with float16 among its inputs is not opened');
  return tensorOfNumbers(dtype, shape, values.map(Number));
}

/** Whether a value of JSON is a list. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
