import { coordinate, grouped } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';
import { scale, toFigure } from './curve-scale.ts';

const WIDTH = 540;
const HEIGHT = 240;
const LEFT = 52;
const RIGHT = 12;
const BOTTOM = 26;
const TOP = 8;

/** A line of a chart: the values of a metric, one after another. */
export interface CurveLine {
  readonly name: string;
  /** Number of all values; the points are spread evenly over them. */
  readonly count: number;
  readonly values: readonly (number | null)[];
}

/** Looks of lines that color isn't enough to tell apart; the style sheet has them. */
const LOOKS = 6;

/** Class of the n-th line of a chart. */
export function lookOf(at: number): string {
  return `curve-${at % LOOKS}`;
}

/**
 * Values of one metric over the steps at which they were logged, a line each for hosts or trainings; a gap stands for a
 * value that is no number.
 */
export function curveChart(metric: string, lines: readonly CurveLine[]): View {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const steps = Math.max(1, ...lines.map(({ count }) => count));
  const ticks = scale(Math.min(...values), Math.max(...values));
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  const x = (step: number): number =>
    LEFT + (steps === 1 ? 0 : ((step - 1) / (steps - 1)) * (WIDTH - LEFT - RIGHT));
  const y = (value: number): number => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const named = lines
    .map(({ name, values: own }) => `${name} ${toFigure(own.findLast((value) => value !== null) ?? null)}`)
    .join(', ');
  return h(
    'figure',
    { key: metric },
    h('figcaption', h('h3', metric)),
    h(
      'svg.curves',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: 'img',
        'aria-label': `${metric} over ${grouped(steps)} steps; last: ${named}`,
      },
      ticks.map((value) => [
        h('line.axis', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
        h('text', { x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end' }, toFigure(value)),
      ]),
      lines.map((line, at) => drawn(line, lookOf(at), { x, y })),
      h('text', { x: LEFT, y: HEIGHT - 4 }, 'step 1'),
      steps > 1 && h('text', { x: WIDTH - RIGHT, y: HEIGHT - 4, 'text-anchor': 'end' }, grouped(steps)),
    ),
  );
}

interface Scales {
  readonly x: (step: number) => number;
  readonly y: (value: number) => number;
}

function drawn({ count, values }: CurveLine, look: string, { x, y }: Scales): View {
  const stepOf = (at: number): number =>
    values.length === 1 ? 1 : 1 + (at / (values.length - 1)) * (count - 1);
  let path = '';
  let isGap = true;
  let last: { readonly x: number; readonly y: number } | undefined;
  values.forEach((value, at) => {
    if (value === null) {
      isGap = true;
      return;
    }
    last = { x: x(stepOf(at)), y: y(value) };
    path += `${isGap ? 'M' : 'L'}${coordinate(last.x)},${coordinate(last.y)}`;
    isGap = false;
  });
  return h(
    'g',
    { class: look },
    h('path', { d: path }),
    last !== undefined && h('circle', { cx: coordinate(last.x), cy: coordinate(last.y), r: 3.5 }),
  );
}
