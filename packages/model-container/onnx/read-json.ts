import type { NamedTensors, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import { refuse } from './request-refused.ts';
import { fit, flatten, isList, type Json, toTensor } from './to-tensor.ts';

type Inputs = readonly TensorSpec[];
type Fields = Readonly<Record<string, Json>>;

/** Tensors of a JSON document: a list, `{"instances": [record, …]}`, `{"inputs": …}`. @throws {RequestRefused} */
export function readJson(inputs: Inputs, text: string): NamedTensors {
  let document = parse(text);
  if (isFields(document)) {
    const { instances, inputs: given } = document;
    const members = Object.keys(document).length;
    if (members === 1 && instances !== undefined && isList(instances)) return readRecords(inputs, instances);
    if (members !== 1 || given === undefined)
      return refuse('the document must be a list, or have the one member "instances" (a list) or "inputs"');
    document = given;
    if (isFields(document)) return named(inputs, document);
  }
  return one(only(inputs, 'a list'), document);
}

/** Tensors of JSON Lines, one record each. @throws {RequestRefused} */
export function readJsonLines(inputs: Inputs, text: string): NamedTensors {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return readRecords(inputs, lines.map(parse));
}

/** The model's only input. @throws {RequestRefused} */
export function only(inputs: Inputs, what: string): TensorSpec {
  const [first, ...others] = inputs;
  return first !== undefined && others.length === 0
    ? first
    : refuse(
        `${what} is for a model with one input, and this one has ${inputs.map(({ name }) => name).join(', ')}`,
      );
}

/** The tensor of one input from nested lists. @throws {RequestRefused} */
export function one(spec: TensorSpec, value: Json): NamedTensors {
  const { shape, values } = flatten(spec, value);
  return new Map([[spec.name, toTensor(spec, fit(spec, shape), values)]]);
}

function readRecords(inputs: Inputs, records: readonly Json[]): NamedTensors {
  const [first] = records;
  if (first === undefined) return refuse('the request has no records');
  const objects = records.filter(isFields);
  if (objects.length === 0) return one(only(inputs, 'a record without names'), records);
  const names = Object.keys(objects[0] ?? {});
  const isSame = (record: Fields): boolean =>
    Object.keys(record).length === names.length && names.every((name) => Object.hasOwn(record, name));
  if (objects.length !== records.length || !objects.every(isSame))
    return refuse('the records must be objects with the same members');
  const columns = names.map((name) => [name, objects.map((record) => record[name] ?? null)] as const);
  return named(inputs, Object.fromEntries(columns));
}

function named(inputs: Inputs, values: Fields): NamedTensors {
  const names = inputs.map(({ name }) => name);
  const given = Object.keys(values);
  if (given.length !== names.length || !names.every((name) => Object.hasOwn(values, name)))
    return refuse(`the model's inputs are ${names.join(', ')}, and the request has ${given.join(', ')}`);
  return new Map(inputs.flatMap((spec) => [...one(spec, values[spec.name] ?? null)]));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('the request is not JSON');
  }
}

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !isList(value);
}
