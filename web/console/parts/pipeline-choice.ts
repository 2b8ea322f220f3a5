import { h, type View } from '../view/view.ts';

/**
 * A choice among pipelines.
 *
 * @param all the words that stand for all of them, if all may be chosen, by the name ''
 */
export function pipelineChoice(
  names: readonly string[],
  chosen: string,
  choose: (name: string) => void,
  all?: string,
): View {
  return h(
    'div.actions',
    h(
      'label.inline.small',
      h('span.muted', 'Pipeline'),
      ' ',
      h(
        'select',
        {
          value: chosen,
          on: { change: ({ target }) => target instanceof HTMLSelectElement && choose(target.value) },
        },
        all !== undefined && h('option', { value: '' }, all),
        names.map((name) => h('option', { value: name }, name)),
      ),
    ),
  );
}
