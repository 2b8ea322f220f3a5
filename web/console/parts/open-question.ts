import type { DraftData } from '../../../src/api/console/draft-data.ts';
import { type Child, h } from '../view/view.ts';
import { button } from './button.ts';
import { field } from './field.ts';

interface Answering {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly answer: (given: string) => void;
  readonly back: () => void;
}

/** A question that neither the model nor the files answer. */
export function openQuestion(
  { text, option, offered, problem, notes }: Extract<DraftData, { readonly question: unknown }>['question'],
  { isBusy, error, answer, back }: Answering,
): Child {
  return [
    h(
      'div.head',
      h('p.crumb', h('a', { href: '#/pipelines' }, 'Pipelines')),
      h('h1', 'One question'),
      h('p.lead', 'Neither the model nor the files tell this, and a guess could be wrong.'),
    ),
    error !== undefined && h('p.alarm', { role: 'alert' }, error),
    notes.length > 0 &&
      h(
        'ul.lead.notes',
        notes.map((note) => h('li', { key: note }, note)),
      ),
    h(
      'form.form',
      {
        key: option,
        on: {
          submit: (event) => {
            event.preventDefault();
            const given =
              event.target instanceof HTMLFormElement ? event.target.elements.namedItem('answer') : null;
            if (given instanceof HTMLInputElement && given.value.trim() !== '') answer(given.value.trim());
          },
        },
      },
      field(
        'answer',
        text,
        h('input#answer', {
          type: 'text',
          name: 'answer',
          autocomplete: 'off',
          spellcheck: 'false',
          'aria-describedby': 'answer-why',
          'aria-invalid': problem === null ? undefined : 'true',
        }),
        offered === null
          ? `inferdrop init takes it from ${option}.`
          : `inferdrop init takes it from ${option}; "${offered}" takes what is proposed.`,
        problem ?? undefined,
      ),
      h(
        'div.actions.ending',
        h('button.primary', { disabled: isBusy }, isBusy ? 'Looking…' : 'Answer'),
        button('button.plain', 'Choose other files', back),
      ),
    ),
  ];
}
