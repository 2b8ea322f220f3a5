import type { FilePlace } from './file-place.ts';

/** A record as people see it: `a.csv, record 17 (line 19), id P-12`. A whole file is its key. */
export function shownPlace({
  key,
  recordIndex,
  line,
  id,
}: Omit<FilePlace, 'recordIndex'> & { readonly recordIndex: number | null }): string {
  if (recordIndex === null) return key;
  const at = line === undefined ? '' : ` (line ${line})`;
  return `${key}, record ${recordIndex}${at}${id === undefined ? '' : `, id ${id}`}`;
}

/** The same where a file that wasn't opened may be its only record. */
export function shownRecord(place: FilePlace): string {
  const isWhole = place.line === undefined && place.recordIndex === 0;
  return shownPlace(isWhole ? { ...place, recordIndex: null } : place);
}
