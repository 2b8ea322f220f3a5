import type { JsonValue } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { isList, isNumbers } from './plain-value.ts';
import type { OutputShape, Prediction } from './prediction.ts';
import { recordValue } from './record-value.ts';

/**
 * Reads a document that is a list, as PyTorch's default handler writes a tensor: one record's scores, or a batch. Undefined if
 * it is not a list.
 */
export function bareList(list: JsonValue, shape: OutputShape): Iterable<Prediction> | undefined {
  if (!isList(list)) return undefined;
  const perItem = (): Iterable<Prediction> => Iterator.from(list).map((item) => recordValue(item, shape));
  if (list.length <= 1 || !isNumbers(list)) return perItem();
  if (shape.single === 'score' && !shape.oneRecord && list.length !== shape.scoreCount) return perItem();
  if (shape.oneRecord || !list.every(Number.isInteger)) return [recordValue(list, shape)];
  if (list.length !== shape.scoreCount) return perItem();
  throw new OutputError(
    'ambiguous-output',
    `the output is a bare list of ${list.length} whole numbers: one score per class, or one class index per record?`,
  );
}
