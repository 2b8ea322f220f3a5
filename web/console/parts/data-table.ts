import { type Child, h, type View } from '../view/view.ts';

/** A column of a table: figures, unless its look, which is the classes of its cells, says `text`. */
export type DataColumn<Row> = readonly [title: string, cell: (row: Row) => Child, look?: string];

/** A table that scrolls on its own, with a name for screen readers. */
export function dataTable<Row>(
  name: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  columns: readonly DataColumn<Row>[],
): View {
  const heads = columns.map(([title, , look]) =>
    h('th', { scope: 'col', class: look?.startsWith('text') === true && 'text' }, title),
  );
  const body = rows.map((row) => {
    const cells = columns.map(([, cell, look]) => h('td', { class: look }, cell(row)));
    return h('tr', { key: keyOf(row) }, cells);
  });
  return h(
    'div.scroll.edge',
    { tabindex: '0', role: 'region', 'aria-label': name },
    h('table.list.beside', h('thead', h('tr', heads)), h('tbody', body)),
  );
}

/** A value in its words; a dash for none. */
export function orDash<T>(value: T | null, words: (value: T) => string): string {
  return value === null ? '–' : words(value);
}
