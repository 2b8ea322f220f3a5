import type { RunsData } from '../../../src/api/console/run-row.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { runTable } from '../parts/run-table.ts';
import { h } from '../view/view.ts';

/** The list of all runs, those under way first. */
export const openRuns: OpenPage = (_, frame) => {
  let data: RunsData | undefined;
  let pipeline = '';
  const table = runTable(frame);
  const close = watch<RunsData>('/live/runs', frame, {
    seen(value) {
      data = value;
      frame.redraw();
    },
  });
  return {
    title: () => 'Runs',
    close,
    view() {
      const all = data?.runs ?? [];
      const names = [...new Set(all.map((row) => row.pipeline))].sort();
      return [
        h(
          'div',
          { class: 'head' },
          h('h1', null, 'Runs'),
          names.length > 1 &&
            h(
              'div',
              { class: 'actions' },
              h(
                'label',
                { class: 'inline small' },
                h('span', { class: 'muted' }, 'Pipeline'),
                ' ',
                h(
                  'select',
                  {
                    value: pipeline,
                    on: {
                      change: ({ target }) => {
                        if (target instanceof HTMLSelectElement) pipeline = target.value;
                        frame.redraw();
                      },
                    },
                  },
                  h('option', { value: '' }, `all ${names.length}`),
                  names.map((name) => h('option', { value: name }, name)),
                ),
              ),
            ),
        ),
        data === undefined
          ? h(
              'p',
              { class: 'muted', 'aria-busy': 'true' },
              h('span', { class: 'ghost', css: { '--w': '100%' } }),
            )
          : table.view(pipeline === '' ? all : all.filter((row) => row.pipeline === pipeline)),
      ];
    },
  };
};
