import type { Curve, RunData } from '../../../src/api/console/run-data.ts';
import { type Child, h, type View } from '../view/view.ts';
import { curveChart, lookOf } from './curve-chart.ts';

/** Metrics that the script of a training has logged so far: a line for each host. */
export function trainingCurves({ curves, kind }: RunData): Child {
  if (kind !== 'training' || curves.length === 0) return null;
  // A host that has logged none keeps its place, and so the others their look.
  const lines = Map.groupBy(curves, ({ host }) => host);
  return curvesSection('What the script logs, by step and host, read with training.metrics.', [...lines]);
}

/** A chart for each metric, with a line for each host or training. */
export function curvesSection(
  lead: string,
  lines: readonly (readonly [name: string, curves: readonly Curve[]])[],
): View {
  const metrics = new Set(lines.flatMap(([, curves]) => curves.map(({ metric }) => metric)));
  const legend = lines.map(([name], at) =>
    h('span', { key: name }, h(`span.legend-line.${lookOf(at)}`), name),
  );
  const charts = [...metrics].map((metric) => {
    const ofMetric = lines.map(([name, curves]) => {
      const curve = curves.find((one) => one.metric === metric);
      return { name, count: curve?.count ?? 0, values: curve?.points.map(({ value }) => value) ?? [] };
    });
    return curveChart(metric, ofMetric);
  });
  return h(
    'section',
    { key: 'curves', 'aria-labelledby': 'curves' },
    h('h2#curves', 'Curves'),
    charts.length === 0
      ? h('p.muted', 'No script has logged a value that training.metrics reads.')
      : [h('p.lead', lead), lines.length > 1 && h('p.toolbar.small', legend), h('div.halves', charts)],
  );
}
