import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  parseJsonDocument,
} from '@inferdrop/model-container/internal/json-document';

/** Data that filters and joins understand. */
export type RecordFormat = 'csv' | 'json' | 'jsonlines';

/** Format of records by content type, parameters left out. */
export function resolveRecordFormat(contentType: string | undefined): RecordFormat | undefined {
  switch (contentType?.split(';')[0]?.trim().toLowerCase()) {
    case 'text/csv':
      return 'csv';
    case 'application/json':
      return 'json';
    case 'application/jsonlines':
    case 'application/x-jsonlines':
      return 'jsonlines';
    default:
      return undefined;
  }
}

/**
 * One record: a CSV row is an array of its fields as they are written, quotes included.
 *
 * @throws {Error} if the text is not of the format
 */
export function parseRecord(text: string, format: RecordFormat): JsonValue {
  return format === 'csv' ? splitRow(text.replace(/\r?\n$/, '')) : parseJsonDocument(text);
}

/** Numbers keep the digits that they came with. */
export function toRecordText(value: JsonValue, format: RecordFormat): string {
  if (format !== 'csv') return toCompactJson(value);
  return (isJsonArray(value) ? value : [value])
    .map((field) => (typeof field === 'string' ? field : toCompactJson(field)))
    .join(',');
}

function splitRow(row: string): readonly string[] {
  const fields: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < row.length; at++) {
    if (row[at] === '"') quoted = !quoted;
    else if (row[at] === ',' && !quoted) {
      fields.push(row.slice(start, at));
      start = at + 1;
    }
  }
  return [...fields, row.slice(start)];
}

function toCompactJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (isJsonArray(value)) return `[${value.map(toCompactJson).join(',')}]`;
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}:${toCompactJson(member)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}
