const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const QUOTED = /^\s*"([^"]*(?:""[^"]*)*)"/;

/** Cells of one CSV row (RFC 4180) as written, quotes included; a delimiter between quotes does not end a cell. */
export function csvCells(row: string, delimiter = ','): string[] {
  if (!row.includes('"')) return row.split(delimiter);
  const cells: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < row.length; at++) {
    if (row[at] === '"') quoted = !quoted;
    else if (row[at] === delimiter && !quoted) {
      cells.push(row.slice(start, at));
      start = at + 1;
    }
  }
  cells.push(row.slice(start));
  return cells;
}

/** Text of a cell, without the quotes around it. */
export function cellText(cell: string): string {
  if (!cell.includes('"')) return cell;
  return QUOTED.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;
}

/** The number in a cell; `nan` and `inf` as C and Python print them. Undefined if the cell is not a number. */
export function cellNumber(cell: string): number | undefined {
  const word = cellText(cell).trim().toLowerCase();
  if (NUMBER.test(word)) return Number(word);
  if (/^[+-]?nan$/.test(word)) return Number.NaN;
  if (/^[+-]?inf(?:inity)?$/.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
  return undefined;
}
