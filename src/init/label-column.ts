/** A column of a table that holds the truth of each row. */
export interface LabelColumn {
  readonly at: number;
  /** Labels of the rows that were read. */
  readonly labels: readonly string[];
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether the first row names columns: it has a text where every further row has a number, or nothing. */
export function hasHeader([first = [], ...further]: readonly (readonly string[])[]): boolean {
  return (
    further.length > 0 &&
    first.some(
      (cell, at) =>
        !isNumberOrNothing(cell) &&
        further.every((row) => isNumberOrNothing(row[at])) &&
        further.some((row) => isNumber(row[at])),
    )
  );
}

/**
 * Columns that may hold the label, if a row has one cell more than the model takes: the first or the last, if its cells are texts
 * or whole numbers up to the number of classes, also as `1.0`, at least two of them.
 *
 * @param classes number of the model's classes
 */
export function labelColumns(rows: readonly (readonly string[])[], classes: number): readonly LabelColumn[] {
  return columnsOfClasses(rows, classes, [0, (rows[0]?.length ?? 0) - 1]);
}

/** Columns of tables with titles that may hold the label: the one of names, wherever it is, or else the first or the last. */
export function titledLabels(rows: readonly (readonly string[])[], classes: number): readonly LabelColumn[] {
  const all = (rows[0] ?? []).map((_, at) => at);
  const named = columnsOfClasses(rows, Math.min(classes, rows.length / 2), all).filter(({ labels }) =>
    labels.every((label) => !isNumber(label)),
  );
  return named.length > 0 ? named : labelColumns(rows, classes);
}

/**
 * Places of the columns that the model takes: all but the label, or the numeric ones; if there are too many, without columns of
 * whole numbers that are all different.
 */
export function featureColumns(
  rows: readonly (readonly string[])[],
  label: number | undefined,
  cells: number | undefined,
): readonly number[] {
  const others = (rows[0] ?? []).map((_, at) => at).filter((at) => at !== label);
  if (others.length === cells) return others;
  const numbers = others.filter((at) => rows.every((row) => isNumberOrNothing(row[at])));
  return cells === undefined || numbers.length <= cells
    ? numbers
    : numbers.filter((at) => !isIdColumn(rows, at));
}

/** Whether a column may name the records: all cells differ, and none has a fraction. */
export function isIdColumn(rows: readonly (readonly string[])[], at: number): boolean {
  const cells = rows.map((row) => row[at]?.trim() ?? '');
  return (
    rows.length > 1 &&
    cells.every((cell) => cell !== '' && (/^\d+$/.test(cell) || !isNumber(cell))) &&
    new Set(cells).size === rows.length
  );
}

function columnsOfClasses(
  rows: readonly (readonly string[])[],
  classes: number,
  places: readonly number[],
): readonly LabelColumn[] {
  return places.flatMap((at) => {
    const labels = rows.map((row) => (row[at] ?? '').trim());
    const isIndex = labels.every((label) => /^\d+(?:\.0*)?$/.test(label) && Number(label) <= classes);
    const isName =
      labels.every((label) => label !== '' && !isNumber(label)) && new Set(labels).size <= classes;
    return new Set(labels).size >= 2 && (isIndex || isName) ? [{ at, labels }] : [];
  });
}

function isNumberOrNothing(cell: string | undefined): boolean {
  return cell?.trim() === '' || isNumber(cell);
}

function isNumber(cell: string | undefined): boolean {
  return cell !== undefined && NUMBER.test(cell.trim());
}
