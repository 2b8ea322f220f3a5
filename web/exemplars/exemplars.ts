import { findById } from '../by-id.ts';

/** Shows the records of a cell, by the places of its classes. */
export type OpenCell = (truth: number, predicted: number) => void;

/** Keys that move to the cell before and after, while a button of the panel has the focus. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * Lets cells and confusions show their records in the place of the list of confusions; Escape and a button bring it back. From one cell
 * buttons and arrow keys lead to the others, the most frequent confusions first.
 */
export function animateExemplars(): OpenCell {
  const panel = findById('exemplars', HTMLElement);
  const pairs = findById('pairs', HTMLElement);
  if (panel === undefined || pairs === undefined) return () => undefined;
  /** The cells that have records, in the order of the page. */
  const cells = [...document.querySelectorAll<HTMLTemplateElement>('template[id^="cell-"]')];
  let opener: Element | null = null;
  let at = -1;

  const close = (): void => {
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren();
    pairs.hidden = false;
    if (hadFocus && opener instanceof HTMLElement) opener.focus();
  };
  const button = (text: string, act: () => void, isDisabled = false): HTMLButtonElement => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.disabled = isDisabled;
    made.addEventListener('click', act);
    return made;
  };
  const step = (by: number): void => {
    const next = cells[at + by];
    if (next === undefined) return;
    at += by;
    show(next);
    const [back, on] = panel.querySelectorAll('button');
    const chosen = by < 0 ? back : on;
    (chosen?.disabled === true ? (by < 0 ? on : back) : chosen)?.focus({ preventScroll: true });
  };
  const show = (records: HTMLTemplateElement | undefined): HTMLButtonElement => {
    const none = document.createElement('p');
    none.textContent = 'The page has no record of this cell; rows/*.parquet has all.';
    const closing = button('Close', close);
    const steps = document.createElement('p');
    steps.append(
      button('Previous', () => step(-1), at < 1),
      button('Next', () => step(1), at + 1 >= cells.length),
      closing,
    );
    panel.replaceChildren(steps, records?.content.cloneNode(true) ?? none);
    return closing;
  };
  const open: OpenCell = (truth, predicted) => {
    at = cells.findIndex(({ id }) => id === `cell-${truth}-${predicted}`);
    if (!panel.contains(document.activeElement)) opener = document.activeElement;
    const closing = show(cells[at]);
    const isHidden = pairs.contains(opener);
    pairs.hidden = true;
    // The cell keeps the focus, so that arrow keys go on from it.
    if (isHidden) closing.focus({ preventScroll: true });
    panel.scrollIntoView({ block: 'nearest' });
  };
  panel.addEventListener('keydown', ({ key }) => {
    const by = STEPS[key];
    if (by !== undefined) step(by);
  });
  pairs.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
    const [truth, predicted] = (button?.dataset['cell'] ?? '').split('-').map(Number);
    if (truth !== undefined && predicted !== undefined) open(truth, predicted);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && pairs.hidden) close();
  });
  return open;
}
