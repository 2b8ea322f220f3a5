/** A column of a plain-text table. */
export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
  readonly align?: 'left' | 'right';
}

/** Lines of a table whose columns are as wide as their widest cell. */
export function toTable<T>(rows: readonly T[], columns: readonly Column<T>[]): readonly string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => text(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? '').length)));
  return cells.map((line) =>
    line
      .map((cell, index) =>
        columns[index]?.align === 'right'
          ? cell.padStart(widths[index] ?? 0)
          : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
