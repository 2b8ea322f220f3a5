const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const QUOTED = /^"(?<text>[^"]*(?:""[^"]*)*)(?:"|$)/;

/** Cells of one CSV record as written, quotes included. As in Python's `csv`, a quote only opens a cell at its very beginning. */
export function csvCells(record: string, delimiter = ','): string[] {
  if (!record.includes('"')) return record.split(delimiter);
  const cells: string[] = [];
  for (let start = 0; ;) {
    const found = record.indexOf(delimiter, endOfQuotes(record, start));
    const end = found < 0 ? record.length : found;
    cells.push(record.slice(start, end));
    if (found < 0) return cells;
    start = end + delimiter.length;
  }
}

/** Place behind the closing quote of a cell; its beginning if it isn't quoted. */
function endOfQuotes(record: string, start: number): number {
  let at = start;
  while (record[at] === '"') {
    const close = record.indexOf('"', at + 1);
    if (close < 0) return record.length;
    at = close + 1;
  }
  return at;
}

/** Text of a cell without the quotes around it; `"a"b` is `ab`, as in Python's `csv`. */
export function cellText(cell: string): string {
  if (!cell.startsWith('"')) return cell;
  const found = QUOTED.exec(cell);
  return (found?.groups?.['text'] ?? '').replaceAll('""', '"') + cell.slice(found?.[0].length ?? 0);
}

/** The number in a cell; `nan` and `inf` as C and Python print them. Undefined if the cell is not a number. */
export function cellNumber(cell: string): number | undefined {
  const word = cellText(cell.trim()).trim().toLowerCase();
  if (NUMBER.test(word)) return Number(word);
  if (/^[+-]?nan$/.test(word)) return Number.NaN;
  if (/^[+-]?inf(?:inity)?$/.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
  return undefined;
}
