import type { RunsData } from '../../../src/api/console/run-row.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { pipelineChoice } from '../parts/pipeline-choice.ts';
import { runTable } from '../parts/run-table.ts';
import { h } from '../view/view.ts';

/** The list of all runs, those under way first. */
export const openRuns: OpenPage = (_, frame) => {
  let data: RunsData | undefined;
  let pipeline = '';
  const choose = (name: string): void => {
    pipeline = name;
    frame.redraw();
  };
  const table = runTable(frame);
  const close = watch<RunsData>('/live/runs', frame, { seen: (value) => (data = value) });
  return {
    title: () => 'Runs',
    close,
    view() {
      const all = data?.runs ?? [];
      const names = [...new Set(all.map((row) => row.pipeline))].sort();
      return [
        h(
          'div.head',
          h('h1', 'Runs'),
          names.length > 1 && pipelineChoice(names, pipeline, choose, `all ${names.length}`),
        ),
        data === undefined
          ? h('p.muted', { 'aria-busy': 'true' }, h('span.ghost', { css: { '--w': '100%' } }))
          : table.view(pipeline === '' ? all : all.filter((row) => row.pipeline === pipeline)),
      ];
    },
  };
};
