import { cellStrength } from '../../src/report/colors.ts';
import { decimal } from '../../src/text/figures.ts';
import { byId } from '../by-id.ts';
import type { OpenCell } from '../exemplars/exemplars.ts';
import { STEPS } from './arrow-keys.ts';
import { chosenOrder, chosenUnit, onChoice, tell } from './controls.ts';
import { type Matrix, UNITS } from './matrix.ts';

/** Redraws the table of few classes in another order or unit, and moves through it by pointer and keys. */
export function animateTable(table: HTMLTableElement, matrix: Matrix, open: OpenCell): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].slice(1);
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const [lightRight = 1, lightWrong = 1, darkRight = 1, darkWrong = 1] = (table.dataset['inverse'] ?? '')
    .split(' ')
    .map(Number);
  let order = matrix.orders.listed;

  const draw = (): void => {
    const unit = chosenUnit();
    order = matrix.orders[chosenOrder()];
    byId('matrix-unit', HTMLElement).textContent = UNITS[unit];
    for (const [row, truth] of order.entries()) {
      name(heads[row], heads[row]?.firstElementChild, truth);
      const [head, ...cells] = rows[row]?.cells ?? [];
      name(head, head, truth);
      for (const [column, cell] of cells.entries()) {
        const predicted = order[column] ?? 0;
        const isRight = truth === predicted;
        const strength = cellStrength(matrix.share(truth, predicted, unit), isRight);
        cell.textContent = matrix.text(truth, predicted, unit);
        cell.style.setProperty('--v', decimal(strength, 3));
        cell.classList.toggle('r', isRight);
        cell.classList.toggle('il', strength >= (isRight ? lightRight : lightWrong));
        cell.classList.toggle('id', strength >= (isRight ? darkRight : darkWrong));
      }
    }
  };
  const name = (titled: HTMLElement | undefined, named: Element | null | undefined, place: number): void => {
    const text = matrix.names[place] ?? '';
    if (titled) titled.title = text;
    if (named) named.textContent = text;
  };

  const unlight = (): void => {
    for (const lit of table.querySelectorAll('.lit')) lit.classList.remove('lit');
  };
  const show = (cell: HTMLTableCellElement): void => {
    const row = rows.findIndex((each) => each.contains(cell));
    const column = cell.cellIndex - 1;
    unlight();
    for (const lit of [cell, rows[row]?.cells[0], heads[column]]) lit?.classList.add('lit');
    tell(matrix, order[row] ?? 0, order[column] ?? 0);
  };
  const showTarget = ({ target }: Event): void => {
    const cell = cellOf(target);
    if (cell !== null) show(cell);
  };
  table.addEventListener('pointerover', showTarget);
  table.addEventListener('focusin', showTarget);
  table.addEventListener('pointerleave', unlight);
  const openTarget = ({ target }: Event): void => {
    const cell = cellOf(target);
    if (cell === null) return;
    const truth = order[rows.findIndex((each) => each.contains(cell))] ?? 0;
    const predicted = order[cell.cellIndex - 1] ?? 0;
    if (matrix.count(truth, predicted) > 0) open(truth, predicted);
  };
  table.addEventListener('click', openTarget);
  table.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    const cell = cellOf(event.target);
    if (event.key === 'Enter') openTarget(event);
    if (step === undefined || cell === null) return;
    const row = rows.findIndex((each) => each.contains(cell));
    const next = cellOf(rows[row + step[0]]?.cells[cell.cellIndex + step[1]] ?? null);
    if (next === null) return;
    event.preventDefault();
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  onChoice(draw);
}

function cellOf(target: EventTarget | null): HTMLTableCellElement | null {
  return target instanceof Element ? target.closest<HTMLTableCellElement>('tbody td') : null;
}
