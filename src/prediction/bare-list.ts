import { isList } from '../text/parse-json.ts';
import type { JsonValue } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { isNumbers } from './plain-value.ts';
import type { OutputShape, Prediction } from './prediction.ts';
import { recordValue, recordValues } from './record-value.ts';

/**
 * Reads a document that is a list, as PyTorch's default handler writes a tensor: one record's scores, or a batch. Undefined if
 * it is not a list.
 */
export function bareList(list: JsonValue, shape: OutputShape): Iterable<Prediction> | undefined {
  if (!isList(list)) return undefined;
  if (list.length <= 1 || !isNumbers(list)) return recordValues(list, shape);
  if (shape.single === 'score' && !shape.oneRecord && list.length !== shape.scoreCount)
    return recordValues(list, shape);
  if (shape.oneRecord || !list.every(Number.isInteger)) return [recordValue(list, shape)];
  if (list.length !== shape.scoreCount) return recordValues(list, shape);
  throw new OutputError(
    'ambiguous-output',
    `the output is a bare list of ${list.length} whole numbers: one score per class, or one class index per record?`,
  );
}
