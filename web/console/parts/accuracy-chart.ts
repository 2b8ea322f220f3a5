import type { RunRow } from '../../../src/api/console/run-row.ts';
import { coordinate, percent } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';
import { addressOfRun } from './state.ts';

const WIDTH = 1120;
const HEIGHT = 220;
const LEFT = 44;
const BOTTOM = 26;
/** Distance between the lines of the scale. */
const STEPS = [0.01, 0.02, 0.04, 0.1, 0.2];

/** Accuracy of runs with their intervals, oldest first; each point is a link to its run. */
export function accuracyChart(newestFirst: readonly RunRow[], gate: number | null): View {
  const points = newestFirst
    .flatMap(({ run, accuracy, interval, verdict }) =>
      accuracy === null ? [] : [{ run, accuracy, interval, isWrong: verdict === 'failed-gate' }],
    )
    .toReversed();
  if (points.length === 0)
    return h('p.muted', 'No run has an accuracy yet: there are no labels, or no run has ended.');
  const lowest = Math.min(gate ?? 1, ...points.map(({ accuracy, interval }) => interval?.low ?? accuracy));
  const step = STEPS.find((one) => (1 - lowest) / one <= 5) ?? 0.25;
  const low = Math.max(0, Math.floor((lowest - 0.005) / step) * step);
  const x = (at: number): number =>
    points.length === 1 ? WIDTH - 90 : LEFT + 14 + (at / (points.length - 1)) * (WIDTH - LEFT - 90);
  const y = (value: number): number => 10 + (1 - (value - low) / (1 - low)) * (HEIGHT - BOTTOM - 10);
  const ticks = Array.from({ length: Math.round((1 - low) / step) + 1 }, (_, at) => low + at * step);
  const name = `Accuracy of the last ${points.length} runs with 95% intervals${gate === null ? '' : `; the gate at ${percent(gate, 0)}`}`;
  return h(
    'div.scroll.edge',
    {
      tabindex: '0',
      role: 'region',
      'aria-label': 'Chart',
      // The newest end is the one to see first.
      made: (element) => requestAnimationFrame(() => (element.scrollLeft = element.scrollWidth)),
    },
    h(
      'svg.plot',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'group', 'aria-label': name },
      ticks.map((value) => [
        h('line.axis', { x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }),
        h('text', { x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end' }, percent(value, 0)),
      ]),
      gate !== null && [
        h('line.rule', { x1: LEFT, x2: WIDTH, y1: y(gate), y2: y(gate) }),
        h('text', { x: WIDTH, y: y(gate) - 5, 'text-anchor': 'end' }, `gate ${percent(gate, 0)}`),
      ],
      points.map(({ interval, isWrong }, at) =>
        interval === null
          ? null
          : h('line', {
              class: isWrong ? 'band sw1' : 'band sr1',
              x1: x(at),
              x2: x(at),
              y1: y(interval.low),
              y2: y(interval.high),
            }),
      ),
      h('polyline.sr1.faint', {
        points: points.map(({ accuracy }, at) => `${coordinate(x(at))},${coordinate(y(accuracy))}`).join(' '),
      }),
      points.map(({ run, accuracy, isWrong }, at) =>
        h(
          'a',
          {
            href: addressOfRun(run),
            'aria-label': `${run}, ${percent(accuracy)}${isWrong ? ', gate failed' : ''}`,
          },
          h(
            'circle',
            { class: isWrong ? 'fw' : 'fr', cx: coordinate(x(at)), cy: coordinate(y(accuracy)), r: 5 },
            h('title', `${run} ${percent(accuracy)}`),
          ),
        ),
      ),
    ),
  );
}
