import type { RunData } from '../../../src/api/console/run-data.ts';
import { type Child, h } from '../view/view.ts';
import { curveChart, lookOf } from './curve-chart.ts';

/** Metrics that the script of a training has logged so far: a chart for each metric, a line for each host. */
export function trainingCurves({ curves, kind }: RunData): Child {
  if (kind !== 'training' || curves.length === 0) return null;
  const hosts = [...new Set(curves.map(({ host }) => host))];
  const byMetric = Map.groupBy(curves, ({ metric }) => metric);
  return h(
    'section',
    { key: 'curves', 'aria-labelledby': 'curves' },
    h('h2#curves', 'Curves'),
    h('p.lead', 'What the script logs, by step and host, read with training.metrics.'),
    hosts.length > 1 &&
      h(
        'p.toolbar.small',
        hosts.map((host, at) =>
          h('span', { key: host }, h('span', { class: `legend-line ${lookOf(at)}` }), host),
        ),
      ),
    h(
      'div.halves',
      [...byMetric].map(([metric, ofHosts]) =>
        curveChart(
          metric,
          // A host that has logged none keeps its place, and so the others their look.
          hosts.map((host) => {
            const curve = ofHosts.find((one) => one.host === host);
            return {
              name: host,
              count: curve?.count ?? 0,
              values: curve?.points.map(({ value }) => value) ?? [],
            };
          }),
        ),
      ),
    ),
  );
}
