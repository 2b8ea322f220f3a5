import { coordinate, grouped, short } from '../../text/figures.ts';
import { html, type Markup } from '../page/markup.ts';
import { linearScale } from '../svg/linear-scale.ts';
import { niceTicks } from './nice-ticks.ts';
import type { ReportMetric } from './training-report.ts';

const WIDTH = 460;
const HEIGHT = 190;
/** Cap on the hosts that get names and line patterns of their own. */
const NAMED_HOSTS = 4;
const DASHES = ['', '6 4', '2 3', '10 3 2 3'] as const;

/** The values of one metric in the order of the log: a line a host, a cross for a value that is not a number. */
export function metricPlot({ name, hosts }: ReportMetric): Markup {
  const numbers = hosts.flatMap(({ values }) => values.filter((value) => value !== null));
  const steps = Math.max(1, ...hosts.map(({ count }) => count));
  const ticks = numbers.length === 0 ? [0, 1] : niceTicks([least(numbers), greatest(numbers)], 4);
  const y = linearScale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [HEIGHT, 0]);
  const x = linearScale([1, steps], [0, WIDTH]);
  const isNamed = hosts.length <= NAMED_HOSTS;
  return html`<svg class="plot" viewBox="-58 -14 ${WIDTH + 74} ${HEIGHT + 52}" role="img" aria-label="${name} by step, ${hosts.length === 1 ? '1 host' : `${grouped(hosts.length)} hosts`}: ${spoken(hosts)}">
${ticks.map((tick) => html`<line class="axis" x1="0" x2="${WIDTH}" y1="${coordinate(y(tick))}" y2="${coordinate(y(tick))}"/><text x="-8" y="${coordinate(y(tick) + 4)}" text-anchor="end">${short(tick)}</text>`)}
<text x="${coordinate(x(1))}" y="${HEIGHT + 18}" text-anchor="middle">${steps > 1 ? '1' : 'one step'}</text>${steps > 1 && html`<text x="${WIDTH}" y="${HEIGHT + 18}" text-anchor="middle">${grouped(steps)}</text>`}${steps > 1 && html`<text x="${WIDTH / 2}" y="${HEIGHT + 18}" text-anchor="middle">step</text>`}
${hosts.map((of, index) => curve(of, { x, y, dash: isNamed ? (DASHES[index] ?? '') : '', faint: !isNamed })).toReversed()}
${isNamed && hosts.length > 1 && hosts.map(({ host }, index) => html`<line class="sr" fill="none" stroke-width="2" stroke-dasharray="${DASHES[index] ?? ''}" x1="${index * 110}" x2="${index * 110 + 26}" y1="${HEIGHT + 32}" y2="${HEIGHT + 32}"/><text x="${index * 110 + 32}" y="${HEIGHT + 36}">${host}</text>`)}
</svg>`;
}

interface CurveStyle {
  readonly x: (step: number) => number;
  readonly y: (value: number) => number;
  readonly dash: string;
  readonly faint: boolean;
}

function curve(
  { host, count, values }: ReportMetric['hosts'][number],
  { x, y, dash, faint }: CurveStyle,
): Markup {
  // Values that were left out lie evenly between those that are kept.
  const stepOf = linearScale([0, Math.max(1, values.length - 1)], [1, Math.max(1, count)]);
  const step = (index: number): number => (values.length === 1 ? count : stepOf(index));
  let path = '';
  let isBroken = true;
  for (const [index, value] of values.entries()) {
    if (value !== null)
      path += `${isBroken ? 'M' : 'L'}${coordinate(x(step(index)))},${coordinate(y(value))}${isBroken ? 'h0' : ''}`;
    isBroken = value === null;
  }
  const last = values.findLastIndex((value) => value !== null);
  const end = values[last] ?? null;
  return html`<g><title>${host}</title><path class="sr" fill="none" stroke-width="${faint ? 1 : 2}" opacity="${faint ? 0.45 : 1}" stroke-linejoin="round" stroke-linecap="round" stroke-dasharray="${dash}" d="${path}"/>${!faint && end !== null && html`<circle class="fr" cx="${coordinate(x(step(last)))}" cy="${coordinate(y(end))}" r="3"/>`}${values.map((value, index) => value === null && html`<text class="fw" x="${coordinate(x(step(index)))}" y="${HEIGHT - 3}" text-anchor="middle">×</text>`)}</g>`;
}

function spoken(hosts: ReportMetric['hosts']): string {
  return hosts
    .slice(0, NAMED_HOSTS)
    .map(({ host, values }) => {
      const finite = values.filter((value) => value !== null);
      const [first, last] = [finite[0], finite.at(-1)];
      return first === undefined || last === undefined
        ? `${host} no number`
        : `${host} from ${short(first)} to ${short(last)}`;
    })
    .join(', ');
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
