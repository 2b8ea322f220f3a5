import { findById } from '../by-id.ts';

/** Shows the records of a cell, by the places of its classes. */
export type OpenCell = (truth: number, predicted: number) => void;

/** Lets cells and confusions show their records in the place of the list of confusions; Escape and a button bring it back. */
export function animateExemplars(): OpenCell {
  const panel = findById('exemplars', HTMLElement);
  const pairs = findById('pairs', HTMLElement);
  if (panel === undefined || pairs === undefined) return () => undefined;
  let opener: Element | null = null;

  const close = (): void => {
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren();
    pairs.hidden = false;
    if (hadFocus && opener instanceof HTMLElement) opener.focus();
  };
  const closeButton = (): HTMLButtonElement => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Close';
    button.addEventListener('click', close);
    return button;
  };
  const open: OpenCell = (truth, predicted) => {
    const records = findById(`cell-${truth}-${predicted}`, HTMLTemplateElement);
    const none = document.createElement('p');
    none.textContent = 'The page has no record of this cell; rows/*.parquet has all.';
    const button = closeButton();
    if (!panel.contains(document.activeElement)) opener = document.activeElement;
    panel.replaceChildren(button, records?.content.cloneNode(true) ?? none);
    const isHidden = pairs.contains(opener);
    pairs.hidden = true;
    // The cell keeps the focus, so that arrow keys go on from it.
    if (isHidden) button.focus({ preventScroll: true });
    panel.scrollIntoView({ block: 'nearest' });
  };
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
