import type { JsonValue } from '../prediction/json-documents.ts';
import { followPath, type JsonPath } from '../prediction/json-path.ts';

/**
 * The label in a field of a record; undefined if the field is missing or empty, or holds neither a class name nor an index.
 */
export function truthInRecord(record: JsonValue | undefined, path: JsonPath): string | undefined {
  const found = record === undefined ? undefined : followPath(path, record);
  if (typeof found === 'string') return found.trim() === '' ? undefined : found.trim();
  if (typeof found === 'number') return Number.isFinite(found) ? String(found) : undefined;
  return typeof found === 'boolean' ? String(found) : undefined;
}
