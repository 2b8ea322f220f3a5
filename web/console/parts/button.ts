import { type Child, h, type View } from '../view/view.ts';

/**
 * A button that sends no form.
 *
 * @param element its name with its classes, as in `button.primary`
 */
export function button(element: string, words: Child, click: () => void, disabled = false): View {
  return h(element, { type: 'button', disabled, on: { click } }, words);
}
