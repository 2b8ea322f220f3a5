const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  json: 'application/json',
  jsonl: 'application/jsonlines',
  csv: 'text/csv',
};

/** Content type of a request for the prediction of a file, by the extension of its name. */
export function requestType(name: string): string {
  return TYPES[/\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/x-image';
}
