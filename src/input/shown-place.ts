/** A record by its file, as tables and people name it; `line` is there if the file was opened. */
export interface Place {
  readonly key: string;
  readonly recordIndex: number;
  readonly line?: number | undefined;
  readonly id?: string | undefined;
}

/** A record as people see it: `a.csv, record 17 (line 19), id P-12`. A whole file is its key. */
export function shownPlace({
  key,
  recordIndex,
  line,
  id,
}: Omit<Place, 'recordIndex'> & { readonly recordIndex: number | null }): string {
  if (recordIndex === null) return key;
  const at = line === undefined ? '' : ` (line ${line})`;
  return `${key}, record ${recordIndex}${at}${id === undefined ? '' : `, id ${id}`}`;
}

/** The same where a file that wasn't opened may be its only record. */
export function shownRecord(place: Place): string {
  const isWhole = place.line === undefined && place.recordIndex === 0;
  return shownPlace(isWhole ? { ...place, recordIndex: null } : place);
}
