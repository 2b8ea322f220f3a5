import { bareList } from './bare-list.ts';
import { readCsvLines } from './csv-lines.ts';
import { jsonDocuments, type JsonValue } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { toText } from './output-text.ts';
import { type OutputShape, type Prediction, type Predictions, shapeOfText } from './prediction.ts';
import { recordValue } from './record-value.ts';
import { tensorflowColumns } from './tensorflow-columns.ts';
import { tensorflowRows } from './tensorflow-rows.ts';

/** Cap on the predictions kept from the first pass over an output; beyond it, a second pass is cheaper than the memory. */
const MAX_KEPT = 1_000;

/** Formats of a JSON document, tried in this order; each returns undefined for a document of another format. */
const DOCUMENT_FORMATS: readonly ((
  document: JsonValue,
  shape: OutputShape,
) => Iterable<Prediction> | undefined)[] = [bareList, tensorflowRows, tensorflowColumns];

/**
 * Reads the predictions of one output object, in the order of its records, in any format that a container writes. All are checked before
 * the first is returned, and a million records are never in memory at once.
 *
 * @throws {OutputError} if the bytes hold no prediction, or are ambiguous: never a guess
 * @throws {ClassCountMismatch} if the length of a score vector differs from the number of classes; the run cannot continue
 */
export function eachPrediction(bytes: Uint8Array, shape: OutputShape): Iterable<Prediction> {
  const text = toText(bytes);
  const meant = shapeOfText(text, shape);
  const { count, each } = readCsvLines(text, meant) ?? readDocuments(text, meant);
  if (count === 0) throw new OutputError('unreadable-output', 'the output is empty');
  if (shape.oneRecord && count !== 1) {
    throw new OutputError('wrong-record-count', `the output has ${count} predictions for one record`);
  }
  return each;
}

/** The same for outputs that are known to be small. */
export function readOutput(bytes: Uint8Array, shape: OutputShape): Prediction[] {
  return [...eachPrediction(bytes, shape)];
}

function readDocuments(text: string, shape: OutputShape): Predictions {
  const documents = jsonDocuments(text);
  const [only, another] = documents;
  const read = only !== undefined && another === undefined ? readDocument(only, shape) : undefined;
  // Nearly all outputs are one document about one record.
  if (Array.isArray(read)) return { count: read.length, each: read };
  const kept: Prediction[] = [];
  let count = 0;
  for (const document of documents)
    for (const prediction of readDocument(document, shape)) if (count++ < MAX_KEPT) kept.push(prediction);
  if (count === kept.length) return { count, each: kept };
  return { count, each: { [Symbol.iterator]: () => predictionsOf(documents, shape) } };
}

function* predictionsOf(documents: Iterable<JsonValue>, shape: OutputShape): Generator<Prediction> {
  for (const document of documents) yield* readDocument(document, shape);
}

/** Reads the predictions of one JSON document; one that no format takes is the answer about a single record. */
function readDocument(document: JsonValue, shape: OutputShape): Iterable<Prediction> {
  for (const format of DOCUMENT_FORMATS) {
    const predictions = format(document, shape);
    if (predictions !== undefined) return predictions;
  }
  return [recordValue(document, shape)];
}
