import { isList } from '../text/parse-json.ts';
import type { JsonValue } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { fieldOf, isNumbers } from './plain-value.ts';
import type { OutputShape, Prediction } from './prediction.ts';
import { recordValue, recordValues } from './record-value.ts';

/**
 * Reads TensorFlow Serving's row format, `{"predictions": [record, record, …]}`. Undefined if the document has no such list.
 *
 * A flat list of numbers is one class index per record by that format, but handlers also wrap one record's scores in it; with one record an
 * input the length distinguishes them.
 */
export function tensorflowRows(document: JsonValue, shape: OutputShape): Iterable<Prediction> | undefined {
  const rows = fieldOf(document, 'predictions');
  return rows === undefined || !isList(rows) ? undefined : listedRows(rows, shape);
}

/** Reads one answer per record, without the document around the list. */
export function listedRows(rows: readonly JsonValue[], shape: OutputShape): Iterable<Prediction> {
  if (rows.length > 1 && isNumbers(rows)) {
    if (shape.oneRecord && (rows.length === shape.scoreCount || !rows.every(Number.isInteger))) {
      return [recordValue(rows, shape)];
    }
    if (shape.single !== 'score' && !rows.every(Number.isInteger)) {
      throw new OutputError(
        'ambiguous-output',
        `the output's "predictions" is a flat list of ${rows.length} numbers: one score per class, or one value per record?`,
      );
    }
  }
  return recordValues(rows, shape);
}
