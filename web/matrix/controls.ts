import { byId } from '../by-id.ts';
import { type Matrix, type Order, ORDERS, type Unit, UNITS } from './matrix.ts';

/** The chosen unit of a cell. */
export function chosenUnit(): Unit {
  const value = chosen('norm');
  return isUnit(value) ? value : 'row';
}

/** The chosen order of the classes. */
export function chosenOrder(): Order {
  const value = chosen('order');
  return ORDERS.find((order) => order === value) ?? 'listed';
}

/** Shows the controls, and draws again after each choice. */
export function onChoice(draw: () => void): void {
  const controls = byId('matrix-controls', HTMLElement);
  controls.hidden = false;
  for (const input of controls.querySelectorAll('input[type=radio]')) input.addEventListener('change', draw);
}

/** Says a cell in words below the matrix. */
export function tell(matrix: Matrix, truth: number, predicted: number): void {
  const parts = matrix.words(truth, predicted).map((part) => {
    if (typeof part === 'string') return part;
    const strong = document.createElement('b');
    strong.textContent = part.strong;
    return strong;
  });
  byId('readout', HTMLElement).replaceChildren(...parts);
}

function chosen(name: string): string {
  return document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value ?? '';
}

function isUnit(value: string): value is Unit {
  return Object.hasOwn(UNITS, value);
}
