/** Sorts tables of classes by the column whose heading is activated, and filters them by name. */
export const TABLE_SORT_SCRIPT = `
for (const table of document.querySelectorAll('#class-table,#predicted-table')) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  };
  heads.forEach((head, column) => head.firstElementChild.addEventListener('click', () => {
    const before = head.getAttribute('aria-sort');
    const ascending = before === 'none' ? column === 0 : before === 'descending';
    heads.forEach((other) => other.setAttribute('aria-sort', 'none'));
    head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
    const rows = [...body.rows].map((row) => [value(row, column), row]);
    rows.sort(([a], [b]) => (typeof a === 'string' ? a.localeCompare(b, undefined, { numeric: true }) : a - b) * (ascending ? 1 : -1));
    body.append(...rows.map(([, row]) => row));
  }));
  const filter = table.closest('section').querySelector('[type=search]');
  if (filter) filter.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    let found = 0;
    for (const row of body.rows) found += !(row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted));
    filter.nextElementSibling.textContent = found > 0 ? '' : 'No class has this in its name.';
  });
}`;
