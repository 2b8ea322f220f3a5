import { type Child, h, type View } from '../view/view.ts';

/** A field of a form: its name, its control, what is wrong with it, and what it is for. */
export function field(id: string, label: string, control: Child, why: Child = '', error?: string): View {
  return h(
    'div.field',
    { key: id },
    h('label', { for: id }, label),
    h(
      'div',
      control,
      error !== undefined && h('p.error', { id: `${id}-error`, role: 'alert' }, error),
      why !== '' && h('p.why', { id: `${id}-why` }, why),
    ),
  );
}

/** A line of text in a field. */
export function textInput(
  id: string,
  value: string,
  isWrong: boolean,
  changed: (value: string) => void,
): View {
  return h('input', {
    type: 'text',
    id,
    value,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': isWrong ? `${id}-error ${id}-why` : `${id}-why`,
    on: { input: ({ target }) => target instanceof HTMLInputElement && changed(target.value) },
  });
}

/** A choice in a field. */
export function choiceInput(
  id: string,
  value: string,
  options: readonly (readonly [value: string, words: string])[],
  changed: (value: string) => void,
): View {
  return h(
    'select',
    {
      id,
      value,
      'aria-describedby': `${id}-why`,
      on: { change: ({ target }) => target instanceof HTMLSelectElement && changed(target.value) },
    },
    options.map(([one, words]) => h('option', { value: one, key: one }, words)),
  );
}

/** A number if the text is one; else the text, which the check then names. */
export function numberOrText(text: string): number | string {
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
