import type { ImageGeneration } from './image-generation.ts';

/** A request without a script: the body for TensorFlow Serving, or the refusal of its content type. */
export type ConvertedRequest = { readonly body: string } | { readonly unsupported: string };

const JSON_TYPES = ['application/json', 'application/jsonlines', 'application/jsons'];
/** Content types that the container turns into requests without a script. */
export const CONVERTED_TYPES: readonly string[] = [...JSON_TYPES, 'text/csv'];

/** The type that the container reads a request as: the older images compare the whole header, parameters included. */
export function mediaTypeOf(contentType: string, generation: ImageGeneration): string {
  return generation === 'current' ? (contentType.split(';')[0]?.trim().toLowerCase() ?? '') : contentType;
}

/** Turns the body of `/invocations` into one of `:predict`, with the quirks of the container's nginx script. */
export function convertRequest(
  contentType: string | undefined,
  body: string,
  generation: ImageGeneration,
): ConvertedRequest {
  const type = contentType && mediaTypeOf(contentType, generation);
  if (type !== undefined && JSON_TYPES.includes(type)) return { body: convertJson(body) };
  if (type === 'text/csv')
    return { body: generation === 'current' ? convertCsvByField(body) : convertCsvByFirstField(body) };
  const message = `Unsupported Media Type: ${contentType ?? 'Unknown'}`;
  return { unsupported: generation === 'current' ? `{"error":"${message}"}` : `{"error": "${message}"}` };
}

function convertJson(body: string): string {
  if (/"(instances|inputs|examples)"\s*:/.test(body)) return body;
  if (/[}\]]\s*[[{]/.test(body)) return convertJsonLines(body);
  return `{"instances":${/^\s*\[\s*\[/.test(body) ? body : `[${body}]`}}`;
}

function convertJsonLines(body: string): string {
  const lines = body.trim().split(/\r?\n/);
  const rows = lines.map((line) => line.trim()).filter((line) => line !== '');
  return lines.length === 1 ? `{"instances":${rows.join(',')}}` : `{"instances":[${rows.join(',')}]}`;
}

/** The older images decide by the first field of the whole body whether values are quoted, and split text once. */
function convertCsvByFirstField(body: string): string {
  const quotes = body.search(/^\s*("|[\d.Ee+-]+.*)/) !== 0;
  return toInstances(body, (line) => {
    const row = quotes ? `"${line.replace('"', '\\"').replace(',', '","')}"` : line;
    return line.includes(',') ? `[${row}]` : row;
  });
}

/** The newer images split quoted fields properly and quote each field that is not a JSON number. */
function convertCsvByField(body: string): string {
  return toInstances(body, (line) => {
    const fields = splitCsvLine(line).map((field) =>
      isJsonNumber(field) ? field.trim() : JSON.stringify(field),
    );
    return fields.length > 1 ? `[${fields.join(',')}]` : fields.join('');
  });
}

function toInstances(body: string, convertLine: (line: string) => string): string {
  const lines = body.trim().split(/\r?\n/);
  const rows = lines.map((line) => line.trim()).filter((line) => line !== '');
  return `{"instances":[${rows.map(convertLine).join(',')}]}`;
}

function splitCsvLine(line: string): readonly string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (char === '"') {
      if (quoted && line[i + 1] === '"') {
        field += '"';
        i++;
      } else quoted = !quoted;
    } else if (char === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else field += char;
  }
  return [...fields, field];
}

function isJsonNumber(text: string): boolean {
  return /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/.test(text);
}
