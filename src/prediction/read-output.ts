import { bareList } from './bare-list.ts';
import { readCsvLines } from './csv-lines.ts';
import type { JsonValue } from './json-documents.ts';
import { eachJsonDocument } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { toText } from './output-text.ts';
import { isList } from './plain-value.ts';
import type { OutputShape, Prediction } from './prediction.ts';
import { recordValue } from './record-value.ts';
import { readTensorflowBytes } from './tensorflow-bytes.ts';
import { tensorflowColumns } from './tensorflow-columns.ts';
import { tensorflowRows } from './tensorflow-rows.ts';

/**
 * Reads the predictions of one output object, in the order of its records, whatever format the container wrote.
 *
 * @param room where a score vector is put, for readers of many outputs: it is good until the next one is read
 * @throws {OutputError} where the bytes hold no prediction, or could mean two things: never a guess
 * @throws {ClassCountMismatch} where score vectors have another length than the classes; the run cannot go on
 */
export function readOutput(bytes: Uint8Array, shape: OutputShape, room?: Float64Array): Prediction[] {
  const fast = readTensorflowBytes(bytes, shape, room);
  return fast === undefined ? readAnyOutput(bytes, shape) : [fast];
}

/** The general reader behind `readOutput`, which knows every format. */
export function readAnyOutput(bytes: Uint8Array, shape: OutputShape): Prediction[] {
  const text = toText(bytes);
  const predictions = readCsvLines(text, shape) ?? readDocuments(text, shape);
  if (predictions.length === 0) throw new OutputError('unreadable-output', 'the output is empty');
  if (shape.oneRecord && predictions.length !== 1) {
    throw new OutputError(
      'wrong-record-count',
      `the output has ${predictions.length} predictions for one record`,
    );
  }
  return predictions;
}

function readDocuments(text: string, shape: OutputShape): Prediction[] {
  const predictions: Prediction[] = [];
  for (const document of eachJsonDocument(text))
    for (const prediction of readDocument(document, shape)) predictions.push(prediction);
  return predictions;
}

/** Reads the predictions of one JSON document. */
export function readDocument(document: JsonValue, shape: OutputShape): Prediction[] {
  if (isList(document)) return bareList(document, shape);
  if (document !== null && typeof document === 'object') {
    const { predictions, outputs } = document;
    if (predictions !== undefined && isList(predictions)) return tensorflowRows(predictions, shape);
    if (outputs !== undefined) return tensorflowColumns(outputs, shape);
  }
  return [recordValue(document, shape)];
}
