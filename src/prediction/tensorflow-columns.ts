import { isList } from '../text/parse-json.ts';
import type { JsonValue } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { fieldOf } from './plain-value.ts';
import type { OutputShape, Prediction } from './prediction.ts';
import { recordValue } from './record-value.ts';
import { listedRows } from './tensorflow-rows.ts';

/**
 * Reads TensorFlow Serving's column format, `{"outputs": [record, …]}` or `{"outputs": {"classes": […], "scores": […]}}`,
 * where each named output holds one value per record. Undefined if the document has no `outputs`.
 */
export function tensorflowColumns(document: JsonValue, shape: OutputShape): Iterable<Prediction> | undefined {
  const outputs = fieldOf(document, 'outputs');
  if (outputs === undefined) return undefined;
  if (isList(outputs)) return listedRows(outputs, shape);
  if (outputs === null || typeof outputs !== 'object') return [recordValue(outputs, shape)];
  const names = Object.keys(outputs);
  const lengths = new Set(names.map((name) => columnLength(outputs[name] ?? null)));
  const [length] = lengths;
  if (length === undefined || lengths.size > 1) {
    throw new OutputError(
      'unreadable-output',
      `the output's columns ${names.join(', ')} have different lengths: ${[...lengths].join(', ')}`,
    );
  }
  return Array.from({ length }, (_, row) =>
    recordValue(Object.fromEntries(names.map((name) => [name, cell(outputs[name] ?? null, row)])), shape),
  );
}

function columnLength(column: JsonValue): number {
  return isList(column) ? column.length : 1;
}

function cell(column: JsonValue, row: number): JsonValue {
  return isList(column) ? (column[row] ?? null) : column;
}
