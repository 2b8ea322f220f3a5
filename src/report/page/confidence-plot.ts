import { coordinate, grouped, percent, plural } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { linearScale, shareTicks } from '../svg/linear-scale.ts';
import { html, type Markup } from './markup.ts';

const WIDTH = 400;
const HEIGHT = 168;

/** Two histograms back to back on one scale, so that heights compare; the lines say what a height counts. */
export function confidencePlot(
  { right, wrong }: NonNullable<Report['confidenceHistogram']>,
  { meanConfidenceRight, meanConfidenceWrong }: NonNullable<Report['quality']>,
): Markup {
  const x = linearScale([0, 1], [0, WIDTH]);
  const most = Math.max(1, ...right, ...wrong);
  const height = linearScale([0, most], [0, HEIGHT - 22]);
  const below = HEIGHT + 24 + height(Math.max(...wrong));
  return html`<svg class="plot" viewBox="-14 -16 ${WIDTH + 36} ${coordinate(below + 46)}" role="img" aria-label="Histograms of confidence: right answers ${meanConfidenceRight === null ? 'none' : `mean ${percent(meanConfidenceRight)}`}, wrong answers ${meanConfidenceWrong === null ? 'none' : `mean ${percent(meanConfidenceWrong)}`}">
${half(right, 'fr', HEIGHT, -1, height)}${half(wrong, 'fw', HEIGHT + 24, 1, height)}
<line class="axis" x1="0" x2="${WIDTH}" y1="22" y2="22"/><text x="${WIDTH}" y="16" text-anchor="end">${plural(most, 'record')}</text>
${shareTicks().map((tick) => html`<text x="${x(tick)}" y="${HEIGHT + 16}" text-anchor="middle">${percent(tick, 0)}</text>`)}
<text x="0" y="-2"><tspan class="strong">right</tspan> ${grouped(total(right))}${meanConfidenceRight !== null && `, on average ${percent(meanConfidenceRight)} sure`}</text>
<text x="0" y="${coordinate(below + 20)}"><tspan class="strong">wrong</tspan> ${grouped(total(wrong))}${meanConfidenceWrong !== null && `, on average ${percent(meanConfidenceWrong)} sure`}</text>
</svg>`;
}

function half(
  bins: readonly number[],
  color: string,
  base: number,
  direction: 1 | -1,
  height: (count: number) => number,
): Markup {
  const width = WIDTH / bins.length;
  return html`<line class="axis" x1="0" x2="${WIDTH}" y1="${base}" y2="${base}"/>${bins.map((count, at) => {
    if (count === 0) return undefined;
    const tall = Math.max(1, height(count));
    return html`<rect class="${color}" x="${coordinate(at * width)}" width="${coordinate(width - 1)}" y="${coordinate(direction < 0 ? base - tall : base)}" height="${coordinate(tall)}"><title>${percent(at / bins.length)} to ${percent((at + 1) / bins.length)}: ${count}</title></rect>`;
  })}`;
}

function total(bins: readonly number[]): number {
  return bins.reduce((sum, count) => sum + count, 0);
}
