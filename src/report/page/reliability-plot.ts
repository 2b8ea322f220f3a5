import { coordinate, percent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { linearScale, shareTicks } from '../svg/linear-scale.ts';
import { html, type Markup } from './markup.ts';

const SIDE = 360;

/** Reliability diagram: a dot on the dashed line is calibrated, below it overconfident. A dot's area is its number of records. */
export function reliabilityPlot(points: Report['reliability']): Markup {
  const x = linearScale([0, 1], [0, SIDE]);
  const y = linearScale([0, 1], [SIDE, 0]);
  const most = Math.max(...points.map(({ count }) => count));
  const radius = (count: number): number => 13 * Math.sqrt(count / most);
  const ticks = shareTicks();
  return html`<svg class="plot" viewBox="-44 -12 ${SIDE + 62} ${SIDE + 56}" role="img" aria-label="Reliability diagram: ${points.map((point) => `confidence ${percent(point.confidence, 0)}, accuracy ${percent(point.accuracy, 0)}`).join('; ')}">
${ticks.map((tick) => html`<line class="axis" x1="0" x2="${SIDE}" y1="${y(tick)}" y2="${y(tick)}"/><text x="-8" y="${y(tick) + 4}" text-anchor="end">${percent(tick, 0)}</text><text x="${x(tick)}" y="${SIDE + 20}" text-anchor="middle">${percent(tick, 0)}</text>`)}
<path class="rule" d="M0,${SIDE}L${SIDE},0"/>
<path class="sr" stroke-width="1.2" fill="none" opacity=".5" d="M${points.map((point) => `${coordinate(x(point.confidence))},${coordinate(y(point.accuracy))}`).join('L')}"/>
${points.map((point) => html`<line class="sr" stroke-width="1.5" x1="${coordinate(x(point.confidence))}" x2="${coordinate(x(point.confidence))}" y1="${coordinate(y(point.interval.low))}" y2="${coordinate(y(point.interval.high))}"/><circle class="fr" cx="${coordinate(x(point.confidence))}" cy="${coordinate(y(point.accuracy))}" r="${coordinate(Math.max(2.5, radius(point.count)))}" opacity=".85"><title>${percent(point.from)} to ${percent(point.to)}: says ${percent(point.confidence)}, right in ${percent(point.accuracy)} of ${point.count}</title></circle>`)}
<text x="${SIDE / 2}" y="${SIDE + 40}" text-anchor="middle">confidence</text><text x="4" y="0">accuracy</text>
</svg>`;
}
