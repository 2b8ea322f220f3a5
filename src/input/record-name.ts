/** Digits of a record's place, so that names are in the order of the records. */
const PLACE_DIGITS = 9;

/** Name of a record: the key of the file that it lies in, and its place there from 0. */
export function recordName(file: string, index: number): string {
  return `${file}/${placeText(index)}`;
}

/** The file that a record lies in. */
export function fileOfRecord(name: string): string {
  return name.slice(0, name.lastIndexOf('/'));
}

/** A place as names have it. */
export function placeText(index: number): string {
  return String(index).padStart(PLACE_DIGITS, '0');
}

/** Shows a name if no more is known of its input: `a.csv, record 17` for a record of a file that was opened. */
export function shownName(isOpened: boolean): (name: string) => string {
  return isOpened
    ? (name) => name.replace(/\/(\d{9})$/, (_, place: string) => `, record ${Number(place)}`)
    : (name) => name;
}

/** Gives the key that folders and patterns are read from: an input's name, or the file's if it's a record of one that was opened. */
export function keyOfName(isOpened: boolean): (name: string) => string {
  return isOpened ? (name) => name.replace(/\/\d{9}$/, '') : (name) => name;
}
