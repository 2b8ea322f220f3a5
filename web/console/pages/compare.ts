import type { OpenPage } from '../page.ts';
import { isTraining } from '../parts/state.ts';
import { h } from '../view/view.ts';
import { openComparedRuns } from './compare-runs.ts';
import { openComparedTrainings } from './compare-trainings.ts';

/** Runs next to each other, or trainings. */
export const openCompare: OpenPage = (runs, frame) => {
  if (runs.length > 1)
    return (runs.every(isTraining) ? openComparedTrainings : openComparedRuns)(runs, frame);
  return {
    title: () => 'Compare',
    view: () => [
      h('div.head', h('h1', 'Compare')),
      h(
        'div.empty',
        h('h2', 'Choose two runs'),
        h(
          'p',
          'Tick two runs or more in the list, or two trainings. Runs on the same files are compared input by input.',
        ),
        h('div.actions', h('a.button.primary', { href: '#/runs' }, 'Choose runs')),
      ),
    ],
  };
};
