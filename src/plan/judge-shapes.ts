import type { SignatureTensor } from '../model/read-signatures.ts';
import { csvCells } from '../prediction/csv-cells.ts';
import { type JsonValue, readJsonDocuments } from '../prediction/json-documents.ts';
import { OutputError } from '../prediction/output-error.ts';
import { isList } from '../prediction/plain-value.ts';
import type { Problem } from '../problem/problem.ts';
import type { AnsweringModel } from './judge-answers.ts';
import { isCsv } from './judge-header.ts';
import type { SampledInput } from './judge-processing.ts';

/**
 * Problems of inputs none of whose records has the shape that the model's only input takes, if the container itself makes the request. A
 * single record of another shape fails alone.
 */
export function shapeProblems(
  inputs: readonly SampledInput[],
  contentType: string,
  { signature, isPlain }: Pick<AnsweringModel, 'signature' | 'isPlain'>,
): Problem[] {
  const [input, ...others] = isPlain ? (signature?.inputs ?? []) : [];
  if (input === undefined || others.length > 0 || !['float', 'integer'].includes(input.kind)) return [];
  const [batch, ...wanted] = input.shape ?? [];
  if (batch !== -1) return [];
  const shapesOf = isCsv(contentType) ? csvShapes : jsonShapes;
  const found = inputs.flatMap(({ key, records }) =>
    records.flatMap((text) => shapesOf(text, input).map((shape) => ({ key, shape }))),
  );
  const [first] = found;
  if (first === undefined || found.some(({ shape }) => fits(shape, wanted))) return [];
  const named = `input ${JSON.stringify(input.name)} of its signature ${signature?.name ?? ''}`;
  const [cells] = wanted;
  const message = isCsv(contentType)
    ? `has rows of ${first.shape[0] ?? 1} cells, and the model takes ${toText(wanted)} numbers a record (${named}): let each row have ${wanted.length === 1 && cells !== undefined && cells > 0 ? `${cells} cells` : 'that shape, as JSON'}, and none of them a label or an id`
    : `has records of shape ${toText(first.shape)}, and the model takes ${toText(wanted)} (${named}): send records of that shape`;
  return [{ file: first.key, field: '', value: '', message }];
}

type Shape = readonly number[];

/** Whether a shape fits. -1 takes any size; a single number counts as a list of one, as TensorFlow Serving may take it. */
function fits(shape: Shape, wanted: Shape): boolean {
  if (shape.length === 0 && wanted.every((size) => size === 1 || size === -1)) return true;
  return shape.length === wanted.length && wanted.every((size, at) => size === -1 || size === shape[at]);
}

function csvShapes(text: string): Shape[] {
  return text
    .split(/\r?\n/)
    .filter((row) => row.trim() !== '')
    .map((row) => csvCells(row).length)
    .map((cells) => (cells > 1 ? [cells] : []));
}

function jsonShapes(text: string, { name }: SignatureTensor): Shape[] {
  let documents: readonly JsonValue[];
  try {
    documents = readJsonDocuments(text);
  } catch (error) {
    if (error instanceof OutputError) return [];
    throw error;
  }
  return documents.flatMap(instancesOf).flatMap((instance) => {
    const shape = shapeOf(isNamed(instance) ? instance[name] : instance);
    return shape === undefined ? [] : [shape];
  });
}

/** The records of a request, as TensorFlow Serving's REST API and the container's conversion have them. */
function instancesOf(body: JsonValue): readonly JsonValue[] {
  if (isList(body)) return body.every(isList) ? body : [body];
  if (!isNamed(body)) return [body];
  const { instances, inputs, examples } = body;
  if (instances === undefined && inputs === undefined && examples === undefined) return [body];
  const list = instances ?? inputs;
  return list !== undefined && isList(list) ? list : [];
}

/** Sizes of a nested list of numbers by its first elements; undefined for other values. */
function shapeOf(value: JsonValue | undefined): Shape | undefined {
  if (typeof value === 'number') return [];
  if (value === undefined || !isList(value)) return undefined;
  const inner = shapeOf(value[0]);
  return inner && [value.length, ...inner];
}

function isNamed(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !isList(value);
}

function toText(shape: Shape): string {
  return `[${shape.map((size) => (size === -1 ? 'any' : size)).join(', ')}]`;
}
