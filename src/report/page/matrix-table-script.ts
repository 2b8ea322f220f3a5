/** Redraws the table of few classes in another order or unit, and moves through it by pointer and keys. */
export const MATRIX_TABLE_SCRIPT = `
  const table = byId('matrix');
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const rows = [...table.tBodies[0].rows];
  const inverse = table.dataset.inverse.split(' ').map(Number);
  const units = { row: 'Per cent of the row: recall on the diagonal.', col: 'Per cent of the column: precision on the diagonal.', all: 'Per cent of all records.', count: 'Records.' };
  let order = matrix.orders.listed;
  const draw = () => {
    const norm = matrix.chosen('norm');
    order = matrix.orders[matrix.chosen('order')];
    byId('matrix-unit').textContent = units[norm];
    order.forEach((t, i) => {
      heads[i].firstElementChild.textContent = heads[i].title = data.names[t];
      rows[i].cells[0].textContent = rows[i].cells[0].title = data.names[t];
      order.forEach((p, j) => {
        const cell = rows[i].cells[j + 1];
        const right = t === p;
        const share = matrix.share(t, p, norm);
        const v = right ? share : Math.sqrt(share);
        cell.textContent = norm === 'count' ? matrix.count(t, p) || '' : matrix.percent(share);
        cell.style.setProperty('--v', v.toFixed(3));
        cell.className = (right ? 'r ' : '') + (v >= inverse[right ? 0 : 1] ? 'il ' : '') + (v >= inverse[right ? 2 : 3] ? 'id' : '');
      });
    });
  };
  const unlight = () => table.querySelectorAll('.lit').forEach((cell) => cell.classList.remove('lit'));
  const show = (cell) => {
    const i = cell.parentNode.sectionRowIndex;
    const j = cell.cellIndex - 1;
    unlight();
    cell.classList.add('lit');
    rows[i].cells[0].classList.add('lit');
    heads[j].classList.add('lit');
    matrix.tell(order[i], order[j]);
  };
  const cellOf = (event) => event.target.closest('tbody td');
  table.addEventListener('pointerover', (event) => cellOf(event) && show(cellOf(event)));
  table.addEventListener('pointerleave', unlight);
  table.addEventListener('focusin', (event) => cellOf(event) && show(cellOf(event)));
  table.addEventListener('keydown', (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const cell = cellOf(event);
    if (!step || !cell) return;
    const row = rows[cell.parentNode.sectionRowIndex + step[0]];
    const next = row && row.cells[cell.cellIndex + step[1]];
    if (!next || next.tagName !== 'TD') return;
    event.preventDefault();
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  matrix.onChoice(draw);`;
