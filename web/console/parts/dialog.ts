import type { Question } from '../page.ts';
import { h, type View } from '../view/view.ts';

/** A question before something that costs or cannot be undone; the safe button has the focus. Nothing is drawn without one. */
export function askFirst(question: Question | undefined, closed: () => void): View {
  if (question === undefined) return h('div.no-dialog', { hidden: true });
  const { title, text, go, keep = 'Not now', isDanger, typed, act } = question;
  return h(
    'dialog',
    {
      'aria-labelledby': 'dialog-title',
      key: title,
      made: showDialog,
      on: { close: closed },
    },
    h('h2#dialog-title', title),
    h('p.muted', text),
    h(
      'form.asked',
      {
        method: 'dialog',
        on: {
          submit: (event) => {
            if (!(event instanceof SubmitEvent) || !(event.target instanceof HTMLFormElement)) return;
            if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.value !== 'go') return;
            const field = event.target.elements.namedItem('typed');
            if (typed !== undefined && !(field instanceof HTMLInputElement && field.value === typed)) {
              event.preventDefault();
              if (field instanceof HTMLInputElement) {
                field.setAttribute('aria-invalid', 'true');
                field.focus();
              }
              return;
            }
            act();
          },
        },
      },
      typed !== undefined &&
        h(
          'p',
          h(
            'label',
            'Type ',
            h('b', typed),
            ' to confirm ',
            h('input', { type: 'text', name: 'typed', autocomplete: 'off' }),
          ),
        ),
      h(
        'div.actions',
        h('button', { value: 'keep', autofocus: true, formnovalidate: true }, keep),
        h('button', { value: 'go', class: isDanger ? 'danger' : 'primary' }, go),
      ),
    ),
  );
}

/** Opens a dialog that has just been made: it must be in the page before it can be shown. */
export function showDialog(element: Element): void {
  requestAnimationFrame(() => element instanceof HTMLDialogElement && !element.open && element.showModal());
}
