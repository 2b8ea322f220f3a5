/** Order of two values of a column: numbers by size, text by the alphabet of the reader, with `class 9` before `class 10`. */
export function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}
