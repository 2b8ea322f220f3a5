import { cellText, csvCells } from '@inferdrop/table/cells';
import { isList } from '../text/parse-json.ts';
import { type JsonValue, readJsonDocuments } from './json-documents.ts';
import { followPath, type JsonPath } from './json-path.ts';
import { OutputError } from './output-error.ts';

/** Notation of a record; a CSV row counts as the list of its cells. */
type RecordFormat = 'csv' | 'json';

/** One record of an input; undefined if the text is not one. */
export function readInputRecord(text: string, format: RecordFormat): JsonValue | undefined {
  if (format === 'csv') return csvCells(text.replace(/\r?\n$/, '')).map((cell) => cellText(cell).trim());
  try {
    const [record, ...more] = readJsonDocuments(text);
    return more.length === 0 ? record : undefined;
  } catch (error) {
    if (error instanceof OutputError) return undefined;
    throw error;
  }
}

/** A record as SageMaker sends it after the input filter; undefined if the filter selects nothing in it. */
export function filterInputRecord(text: string, format: RecordFormat, filter: JsonPath): string | undefined {
  if (filter.steps.length === 0) return text;
  if (format === 'csv') {
    const cells = followPath(filter, csvCells(text.replace(/\r?\n$/, '')));
    if (cells === undefined) return undefined;
    return isList(cells) ? cells.join(',') : String(cells);
  }
  const record = readInputRecord(text, format);
  const found = record === undefined ? undefined : followPath(filter, record);
  return found === undefined ? undefined : JSON.stringify(found);
}
