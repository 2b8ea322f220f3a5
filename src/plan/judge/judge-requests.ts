import { type ConvertedRequest, convertRequest } from '@inferdrop/model-container/internal/convert-request';
import { DEFAULT_SIGNATURE } from '@inferdrop/model-container/internal/served-model';
import { csvRows } from '@inferdrop/table/csv-rows';
import type { AnsweringModel } from '../../frameworks/archive.ts';
import { withoutDefault } from '../../frameworks/tensorflow/archive.ts';
import type { SignatureTensor } from '../../model/read-signatures.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { type JsonValue, readJsonDocuments } from '../../prediction/json-documents.ts';
import { OutputError } from '../../prediction/output-error.ts';
import type { Problem } from '../../problem/problem.ts';
import { isList } from '../../text/parse-json.ts';

/** The text of an input, which is a request. */
export interface SampledText {
  readonly key: string;
  readonly text: string;
}

/** Whether a content type is CSV, with or without parameters. */
export function isCsv(contentType: string): boolean {
  return /^text\/csv\s*(?:;|$)/i.test(contentType);
}

/**
 * Problems of the run's first requests, if the container itself turns them into the model's: its own code shows what it would make
 * of them. Only what all of them have in common is a problem; a single bad record only fails itself.
 */
export function requestProblems(
  inputs: readonly SampledText[],
  { contentType }: Pick<PipelineConfig['transform'], 'contentType'>,
  model: Pick<AnsweringModel, 'signature' | 'signatures' | 'isPlain' | 'generation'>,
): Problem[] {
  const { signatures = 'unread', isPlain, generation = 'current' } = model;
  if (!isPlain) return [];
  const asked = inputs.map(({ key, text }) => ({
    key,
    documents: documentsIn(convertRequest(contentType, text, generation)),
  }));
  const [first] = asked;
  if (first === undefined) return [];
  const refuse = (message: string): Problem[] => [{ file: first.key, field: '', value: '', message }];
  const counts = asked.map(({ documents }) => documents.length);
  const names = asked.map(({ documents: [body] }) =>
    body !== undefined && isNamed(body) ? body['signature_name'] : undefined,
  );
  const isKnown = (name: JsonValue | undefined): boolean =>
    signatures === 'unread' || signatures.some((one) => one.name === (name ?? DEFAULT_SIGNATURE));
  const [name] = names;
  if (signatures !== 'unread' && counts.every((count) => count === 1) && !names.some(isKnown))
    return refuse(
      name === undefined
        ? `names no signature, and the model is one ${withoutDefault(signatures)}`
        : `asks for the signature ${JSON.stringify(name)}, and the model has ${signatures.map((one) => one.name).join(', ')}`,
    );
  if (names.some((one) => one !== name)) return [];
  const signature =
    name === undefined || signatures === 'unread'
      ? model.signature
      : signatures.find((one) => one.name === name);
  return shapeProblems(inputs, asked, contentType, signature);
}

/** The JSON documents in a request; none if it is refused or cannot be read. */
function documentsIn(converted: ConvertedRequest): readonly JsonValue[] {
  if ('unsupported' in converted) return [];
  try {
    return readJsonDocuments(converted.body);
  } catch (error) {
    if (error instanceof OutputError) return [];
    throw error;
  }
}

interface AskedRequest {
  readonly key: string;
  readonly documents: readonly JsonValue[];
}

/** Problems of inputs if none of their records has the shape that the signature's only input takes. */
function shapeProblems(
  inputs: readonly SampledText[],
  asked: readonly AskedRequest[],
  contentType: string,
  signature: AnsweringModel['signature'],
): Problem[] {
  const [input, ...others] = signature?.inputs ?? [];
  if (input === undefined || others.length > 0 || !['float', 'integer'].includes(input.kind)) return [];
  const [batch, ...wanted] = input.shape ?? [];
  if (batch !== -1) return [];
  const found = isCsv(contentType)
    ? inputs.flatMap(({ key, text }) => csvShapes(text).map((shape) => ({ key, shape })))
    : asked.flatMap(({ key, documents }) => jsonShapes(documents, input).map((shape) => ({ key, shape })));
  const [first] = found;
  if (first === undefined || found.some(({ shape }) => fits(shape, wanted))) return [];
  const named = `input ${JSON.stringify(input.name)} of its signature ${signature?.name ?? ''}`;
  const [cells] = wanted;
  const message = isCsv(contentType)
    ? `has rows of ${first.shape[0] ?? 1} cells, and the model takes ${toText(wanted)} numbers a record (${named}): let ` +
      `each row have ${wanted.length === 1 && cells !== undefined && cells > 0 ? `${cells} cells` : 'that shape, as JSON'}, and none ` +
      'of them a label or an id'
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
  return Array.from(csvRows(text, { lenient: true }), ({ cells }) =>
    cells.length > 1 ? [cells.length] : [],
  );
}

function jsonShapes(documents: readonly JsonValue[], { name }: SignatureTensor): Shape[] {
  return documents.flatMap(instancesOf).flatMap((instance) => {
    const shape = shapeOf(isNamed(instance) ? instance[name] : instance);
    return shape === undefined ? [] : [shape];
  });
}

/** The records of a request to TensorFlow Serving's REST API. */
function instancesOf(body: JsonValue): readonly JsonValue[] {
  const list = isNamed(body) ? (body['instances'] ?? body['inputs']) : undefined;
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
