import { isDeepStrictEqual } from 'node:util';
import { openParquet } from '../../src/table/parquet-rows.ts';
import type { Value } from '../../src/table/value.ts';

/** A Parquet file as lab/oracle/tables/draw_parquet.py draws it, with its cells as pyarrow reads them. */
export interface DrawnParquet {
  /** In Base64. */
  readonly bytes: string;
  readonly titles: readonly string[];
  /** JSON and CSV of each cell, null for what CSV cannot hold; or `defect`. */
  readonly rows: readonly (readonly (readonly [string, string | null] | 'defect')[])[];
  readonly how: { readonly compression: string; readonly row_group_size: number };
}

/** Reads a drawn file in slices: how many cells are as pyarrow has them, and the first that isn't. */
export async function judgeParquet({ bytes, titles, rows }: DrawnParquet, sliceCells: number) {
  const file = Buffer.from(bytes, 'base64');
  const read = async (start: number, end: number) => file.subarray(start, end);
  const table = await openParquet({ sizeBytes: file.length, read }, sliceCells);
  const found = (await Array.fromAsync(table.rows(titles.map((_, at) => at)))).flat();
  if (!isDeepStrictEqual(table.titles, titles) || found.length !== rows.length)
    return { cells: 0, wrong: `${found.length} rows of ${JSON.stringify(table.titles)}` };
  let cells = 0;
  for (const [at, row] of found.entries()) {
    const wanted = rows[at] ?? [];
    const isDefect = wanted.includes('defect');
    if (typeof row === 'string' || isDefect) {
      if (typeof row !== 'string' || !isDefect) return { cells, wrong: `row ${at}: ${JSON.stringify(row)}` };
      continue;
    }
    for (const [column, value] of row.entries()) {
      const cell = wanted[column];
      if (cell === undefined || cell === 'defect' || !isCell(value, cell, titles[column] ?? ''))
        return {
          cells,
          wrong: `row ${at}, ${titles[column]}: ${JSON.stringify(value)}, not ${JSON.stringify(cell)}`,
        };
      cells += 1;
    }
  }
  return { cells, wrong: undefined };
}

/** Whether a cell has the same text, or a float the same bits. */
function isCell(value: Value, [json, cell]: readonly [string, string | null], title: string): boolean {
  if (!json.includes('F') || (!title.includes('float') && title !== 'fixed_list'))
    return value.json === json && (value.cell ?? null) === cell;
  const isSingle = !title.includes('64');
  const bits = (text: string): unknown[] =>
    Array.from(text.matchAll(/null|-?\d[\d.e+-]*/g), ([one]) =>
      one === 'null' ? one : isSingle ? Math.fround(Number(one)) : Number(one),
    );
  const isSame = (text: string, other: string): boolean => isDeepStrictEqual(bits(text), bits(other));
  return (
    isSame(value.json, json) && (cell === null ? value.cell === undefined : isSame(value.cell ?? '', cell))
  );
}
