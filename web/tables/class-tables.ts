import { compareValues } from './compare-values.ts';

/** Sorts a table of classes or slices by the column with the activated heading, and filters it by name. */
export function animateClassTable(table: HTMLTableElement): void {
  const [body] = table.tBodies;
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  if (body === undefined) return;

  for (const [column, head] of heads.entries()) {
    head.firstElementChild?.addEventListener('click', () => {
      const before = head.getAttribute('aria-sort');
      // The first click on a name begins with A, on a figure with the highest.
      const isAscending = before === 'none' ? column === 0 : before === 'descending';
      for (const other of heads) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
      const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[column]) }));
      rows.sort((a, b) => compareValues(a.value, b.value) * (isAscending ? 1 : -1));
      body.append(...rows.map(({ row }) => row));
    });
  }

  const filter = table.closest('section')?.querySelector<HTMLInputElement>('[type=search]');
  filter?.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const row of body.rows) row.hidden = !row.cells[0]?.textContent.toLowerCase().includes(wanted);
    const isFound = [...body.rows].some((row) => !row.hidden);
    if (filter.nextElementSibling !== null)
      filter.nextElementSibling.textContent = isFound ? '' : (filter.dataset['none'] ?? '');
  });
}

/** The value that a cell is sorted by: `data-v`, else its text. */
function valueOf(cell: HTMLTableCellElement | undefined): string | number {
  const value = cell?.dataset['v'];
  return value === undefined ? (cell?.textContent ?? '') : Number(value);
}
