import { grouped, percent } from '../../text/figures.ts';
import { mostConfused } from '../most-confused.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';

const SHOWN = 12;

/** The most frequent confusions. */
export function confusedPairs(report: Pick<Report, 'classes' | 'confusion' | 'exemplars'>): Markup {
  const pairs = mostConfused(report, SHOWN);
  const most = pairs[0]?.count ?? 1;
  if (pairs.length === 0) return html`<h3>Confusions</h3><p class="muted">None: every record is right.</p>`;
  const opens = report.exemplars.length > 0;
  const named = (text: Markup, places: readonly number[]): Markup =>
    opens
      ? html`<button type="button" data-cell="${places.join('-')}">${text}</button>`
      : html`<span>${text}</span>`;
  return html`<h3>Most frequent confusions</h3>
<ol class="pairs">${pairs.map(
    ({ places, truth, predicted, count, share }) =>
      html`<li>${named(html`<b>${truth}</b> taken for <b>${predicted}</b>`, places)}<span>${grouped(count)} <span class="muted">${percent(share)}</span></span><span class="bar" style="--v:${Math.round((count / most) * 100)}%"></span></li>
`,
  )}</ol>`;
}
