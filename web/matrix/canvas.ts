import { byId } from '../by-id.ts';
import type { OpenCell } from '../exemplars/exemplars.ts';
import { STEPS } from './arrow-keys.ts';
import { chosenOrder, chosenUnit, onChoice, tell } from './controls.ts';
import type { Matrix } from './matrix.ts';
import { paint, patchesOf } from './paint.ts';
import { around, type Cell, revealing, scaleOf, type View, WHOLE, within, zoomed } from './view.ts';

const LABEL = 'Confusion matrix: arrow keys move, plus and minus zoom; what a cell says is read out';

/** Pixels from which on a pressed pointer draws the matrix along. */
const DRAG = 4;

/** Draws the matrix of many classes on a canvas with zoom and keyboard navigation. */
export function animateCanvas(plane: HTMLElement, matrix: Matrix, open: OpenCell): void {
  const n = matrix.names.length;
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  // Without a canvas the image stays.
  if (pen === null) return;
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', LABEL);
  plane.replaceChildren(canvas);

  let view = WHOLE;
  let cursor: Cell | undefined;
  let side = 0;
  let unit = chosenUnit();
  let order: readonly number[] = [];
  let rowOf: readonly number[] = [];
  let patches = patchesOf(matrix, unit);

  const draw = (): void => {
    const ratio = window.devicePixelRatio || 1;
    side = plane.clientWidth;
    canvas.width = canvas.height = Math.round(side * ratio);
    plane.style.touchAction = view.zoom > 1 ? 'none' : 'auto';
    paint(pen, ratio, { matrix, unit, order, rowOf, patches, view, cursor, side });
  };
  const arrange = (): void => {
    unit = chosenUnit();
    order = matrix.orders[chosenOrder()];
    rowOf = order.map((_, place) => place).sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
    patches = patchesOf(matrix, unit);
    draw();
  };
  const show = (next: View): void => {
    view = next;
    draw();
  };
  const point = (cell: Cell, next = view): void => {
    cursor = cell;
    tell(matrix, order[cell.row] ?? 0, order[cell.column] ?? 0);
    show(next);
  };
  const zoomBy = (factor: number, middle = cursor): void => show(zoomed(view, factor, n, middle));
  const under = ({ clientX, clientY }: MouseEvent): Cell | undefined => {
    const { size, margin } = scaleOf(view, n, side);
    const box = canvas.getBoundingClientRect();
    const column = Math.floor(view.left + (clientX - box.left - margin) / size);
    const row = Math.floor(view.top + (clientY - box.top - margin) / size);
    const isInside = clientX - box.left >= margin && clientY - box.top >= margin && row < n && column < n;
    return isInside && row >= 0 && column >= 0 ? { row, column } : undefined;
  };

  let pressed = { clientX: 0, clientY: 0 };
  let grip: { x: number; y: number; from: View } | undefined;
  canvas.addEventListener('pointerdown', (event) => {
    grip = { x: event.clientX, y: event.clientY, from: view };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('lostpointercapture', () => (grip = undefined));
  canvas.addEventListener('pointermove', (event) => {
    if (grip !== undefined && view.zoom > 1) {
      const { size } = scaleOf(view, n, side);
      const left = grip.from.left - (event.clientX - grip.x) / size;
      const top = grip.from.top - (event.clientY - grip.y) / size;
      show(within({ zoom: view.zoom, left, top }, n));
      return;
    }
    const cell = under(event);
    if (cell !== undefined && (cell.row !== cursor?.row || cell.column !== cursor.column)) point(cell);
  });
  const openCell = (cell: Cell | undefined): void => {
    if (cell === undefined) return;
    const [truth = 0, predicted = 0] = [order[cell.row], order[cell.column]];
    if (matrix.count(truth, predicted) > 0) open(truth, predicted);
  };
  canvas.addEventListener('pointerdown', ({ clientX, clientY }) => (pressed = { clientX, clientY }));
  canvas.addEventListener('click', (event) => {
    const moved = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY);
    if (moved < DRAG) openCell(under(event));
  });
  canvas.addEventListener('dblclick', (event) => zoomBy(2.5, under(event)));
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1.25 : 0.8, under(event));
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (event.key === 'Enter') openCell(cursor);
    if (event.key === '+' || event.key === '=') zoomBy(1.6);
    if (event.key === '-') zoomBy(1 / 1.6);
    if (step === undefined) return;
    event.preventDefault();
    const from = cursor ?? { row: Math.floor(view.top), column: Math.floor(view.left) };
    const moved = (at: number, by: number): number => Math.max(0, Math.min(n - 1, at + by));
    const cell = { row: moved(from.row, step[0]), column: moved(from.column, step[1]) };
    point(cell, revealing(view, cell, n));
  });
  byId('zoom-in', HTMLButtonElement).addEventListener('click', () => zoomBy(1.8));
  byId('zoom-out', HTMLButtonElement).addEventListener('click', () => zoomBy(1 / 1.8));
  byId('zoom-reset', HTMLButtonElement).addEventListener('click', () => show(WHOLE));

  const find = byId('matrix-find', HTMLInputElement);
  find.addEventListener('change', () => {
    const wanted = find.value.trim().toLowerCase();
    const place = matrix.names.findIndex((name) => name.toLowerCase() === wanted);
    if (find.nextElementSibling !== null)
      find.nextElementSibling.textContent = place < 0 && wanted !== '' ? 'No class has this name.' : '';
    if (place < 0) return;
    const at = rowOf[place] ?? 0;
    point({ row: at, column: at }, around(at, n));
  });
  onChoice(arrange);
  matchMedia('(prefers-color-scheme:dark)').addEventListener('change', draw);
  new ResizeObserver(draw).observe(plane);
  arrange();
}
