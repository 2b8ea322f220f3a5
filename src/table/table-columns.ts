import { plural } from '../text/figures.ts';
import { normalTitle } from '../text/normal-title.ts';

/** A column by its title, or by its place from 0. */
type Column = string | number;

/** The columns of a drop's tables, and what becomes of their records. */
export interface TableColumns {
  /** In the order that the model takes: all titles, or all places. */
  readonly features: readonly Column[];
  readonly label: Column | null;
  readonly id: Column | null;
  /** Known, and not sent. */
  readonly ignore: readonly Column[];
  readonly delimiter: string | null;
  readonly form: 'list' | 'object';
  /** Notation of a record that is sent. */
  readonly sends: 'csv' | 'json';
}

/** A table that cannot be opened: words that follow its name, with the remedy. */
export class TableRefused extends Error {
  override readonly name = 'TableRefused';
}

/** Places of the columns in the rows of one table; null if it has no labels, or no ids. */
export interface ColumnPlaces {
  readonly features: readonly number[];
  readonly label: number | null;
  readonly id: number | null;
}

const MAX_NAMED = 8;

/** The number of features that a row of titles has. */
export function countFeatures(titles: readonly string[], { features }: TableColumns): number {
  const known = new Set(titles.map(normalTitle));
  return features.filter((feature) => known.has(normalTitle(String(feature)))).length;
}

/** Titles, or fields, that are no column of pipeline.json, and so aren't sent. */
export function unknownTitles(
  titles: readonly string[],
  { features, label, id, ignore }: TableColumns,
): readonly string[] {
  const known = new Set([...features, label, id, ...ignore].map((column) => normalTitle(String(column))));
  return titles.map(normalTitle).filter((title) => !known.has(title));
}

/**
 * Places of the columns in a table with these titles.
 *
 * @throws {TableRefused} if a feature is not there, or there more than once
 */
export function placesByTitle(
  titles: readonly string[],
  { features, label, id }: TableColumns,
): ColumnPlaces {
  const known = titles.map(normalTitle);
  const wanted = features.map(String);
  const places = wanted.map((title) => known.indexOf(normalTitle(title)));
  const missing = wanted.filter((_, at) => places[at] === -1);
  if (missing.length === wanted.length)
    throw new TableRefused(
      `begins with ${named(titles)}, and columns.features of pipeline.json ${wanted.length === 1 ? 'is' : 'are'} ` +
        `${named(wanted)}: add the row of titles, or correct columns.features`,
    );
  if (missing.length > 0) {
    const near = known.find((title) => missing.some((other) => plain(other) === plain(title)));
    throw new TableRefused(
      `must have the ${missing.length === 1 ? 'column' : 'columns'} ${named(missing)} of columns.features, has ` +
        `${named(titles)}${near === undefined ? ': add what is missing' : `: did you mean ${JSON.stringify(near)}?`}`,
    );
  }
  const asked = [...wanted, ...[label, id].filter((column) => column !== null).map(String)];
  const twice = asked.filter((title) => known.filter((other) => other === normalTitle(title)).length > 1);
  if (twice.length > 0)
    throw new TableRefused(`must have the column ${named(twice)} once: keep one, or rename the others`);
  const placeOf = (column: Column | null): number | null => {
    const place = column === null ? -1 : known.indexOf(normalTitle(String(column)));
    return place < 0 ? null : place;
  };
  return { features: places, label: placeOf(label), id: placeOf(id) };
}

/**
 * Places of the columns in a table without titles.
 *
 * @param rows the first rows
 * @throws {TableRefused} if it has too few columns, or begins with titles
 */
export function placesByNumber(
  [first = [], second = []]: readonly (readonly string[])[],
  { features, label, id }: TableColumns,
): ColumnPlaces {
  const places = features.map(Number);
  const most = Math.max(...places, Number(label ?? 0), Number(id ?? 0));
  if (most >= first.length)
    throw new TableRefused(
      `must have ${plural(most + 1, 'column')} for columns.features and labels.truth, its first row has ` +
        `${first.length}: correct the file or pipeline.json`,
    );
  const hasNumber = (row: readonly string[]): boolean => places.some((at) => isNumber(row[at] ?? ''));
  if ((!hasNumber(first) && hasNumber(second)) || areNumbered(first, second))
    throw new TableRefused(
      `begins with a row of titles (${named(first)}), and columns.features of pipeline.json are places: leave the row ` +
        'out, or name the features by title',
    );
  const placeOf = (column: Column | null): number | null => (column === null ? null : Number(column));
  return { features: places, label: placeOf(label), id: placeOf(id) };
}

/**
 * Whether a first row has the titles that pandas gives columns without names: 0, 1, 2 and so on, next to an empty one of the
 * row numbers.
 */
export function areNumbered(first: readonly string[], second: readonly string[]): boolean {
  const titles = first[0]?.trim() === '' ? first.slice(1) : first;
  const isLikely = titles.length >= 6 || second.some((cell) => !/^\d*$/.test(cell.trim()));
  return titles.length >= 3 && isLikely && titles.every((title, at) => title.trim() === String(at));
}

/** Whether a cell holds a number. */
export function isNumber(cell: string): boolean {
  return cell.trim() !== '' && Number.isFinite(Number(cell));
}

/** A title as another program, or another person, may write it. */
function plain(title: string): string {
  return title.toLowerCase().replace(/[\s_.-]+/g, '');
}

/** Titles in a message. */
export function named(titles: readonly string[]): string {
  const first = titles.slice(0, MAX_NAMED).map((title) => JSON.stringify(title.slice(0, 80)));
  return first.join(', ') + (titles.length > MAX_NAMED ? ', …' : '');
}
