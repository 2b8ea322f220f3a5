import type { PipelineRow, PipelinesData } from '../../../src/api/console/pipeline-row.ts';
import type { RunsData } from '../../../src/api/console/run-row.ts';
import { dollars, percent } from '../../../src/text/figures.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { accuracyChart } from '../parts/accuracy-chart.ts';
import { fact } from '../parts/fact.ts';
import { runTable } from '../parts/run-table.ts';
import { type Child, h } from '../view/view.ts';
import { described, serves } from './pipelines.ts';

/** A pipeline: its accuracy over drops, its facts and its runs. */
export const openPipeline: OpenPage = ([name = ''], frame) => {
  let row: PipelineRow | undefined;
  let known = false;
  let runs: RunsData['runs'] = [];
  const table = runTable(frame);
  const closers = [
    watch<PipelinesData>('/live/pipelines', frame, {
      seen({ pipelines }) {
        known = true;
        row = pipelines.find(({ pipeline }) => pipeline === name);
      },
    }),
    watch<RunsData>('/live/runs', frame, {
      seen: (value) => (runs = value.runs.filter(({ pipeline }) => pipeline === name)),
    }),
  ];
  return {
    title: () => name,
    close: () => closers.forEach((close) => close()),
    view: () => [
      h('div.head', h('p.crumb', h('a', { href: '#/pipelines' }, 'Pipelines')), h('h1', name)),
      row === undefined ? known && h('p.lead', 'There is no pipeline of this name.') : about(row),
      known && h('section', { 'aria-labelledby': 'its-runs' }, h('h2#its-runs', 'Runs'), table.view(runs)),
    ],
  };
};

function about({ settings, runs, endpoint, todayUsd }: PipelineRow): Child {
  const nowMs = Date.now();
  const gate = settings?.minAccuracy ?? null;
  return [
    h(
      'section',
      { 'aria-labelledby': 'over' },
      h('h2#over', 'Accuracy over drops'),
      h('p.lead', 'The last 24 runs with their 95% intervals. A run that failed its gate is orange.'),
      accuracyChart(runs, gate),
    ),
    h(
      'section',
      h(
        'dl.facts.wide',
        fact('Serves', serves(endpoint, settings, nowMs)),
        fact('Cost today', dollars(todayUsd), caps(settings)),
        fact(
          'Gate',
          gate === null ? 'none' : percent(gate, 0),
          gate === null ? 'every run counts as completed' : 'accuracy at least',
        ),
        fact('Model', described(settings)),
      ),
    ),
  ];
}

function caps(settings: PipelineRow['settings']): string {
  if (settings === null) return '';
  const { maxCostUsdPerDay, maxCostUsd } = settings;
  return [
    ...(maxCostUsdPerDay === null ? [] : [`of at most ${dollars(maxCostUsdPerDay)}`]),
    ...(maxCostUsd === null ? [] : [`a run at most ${dollars(maxCostUsd)}`]),
  ].join('; ');
}
