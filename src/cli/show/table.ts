/** A column of a plain-text table. */
export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
  readonly align?: 'left' | 'right';
  /** Whether its cells are statuses. */
  readonly isStatus?: boolean;
}

/** A column of figures. */
export function right<T>(title: string, text: Column<T>['text']): Column<T> {
  return { title, text, align: 'right' };
}

/** Lines of a table with columns as wide as their widest cell; `paint` colors cells of statuses. */
export function toTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  paint: (cell: string) => string = (cell) => cell,
): readonly string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => text(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? '').length)));
  return cells.map((line, row) =>
    line
      .map((cell, index) => {
        const { align, isStatus } = columns[index] ?? {};
        const width = widths[index] ?? 0;
        const isLast = index === columns.length - 1;
        const padded = align === 'right' ? cell.padStart(width) : isLast ? cell : cell.padEnd(width);
        return row > 0 && isStatus === true ? paint(padded) : padded;
      })
      .join('  ')
      .trimEnd(),
  );
}
