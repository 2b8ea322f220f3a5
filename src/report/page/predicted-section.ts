import { coordinate, grouped, percent, plural } from '../../text/figures.ts';
import { predictedMix } from '../predicted-mix.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { className, MAX_ROWS, number, sortedTable } from './sorted-table.ts';

/** Predictions of records without a truth: each class with its count and share, most frequent first. */
export function predictedSection(report: Report): Markup | false {
  const mix = predictedMix(report);
  const [most] = mix;
  if (most === undefined) return false;
  const unlabeled = report.classes.reduce((sum, each) => sum + each.predictedUnlabeled, 0);
  const never = mix.filter(({ count }) => count === 0).length;
  const rows = mix.slice(0, MAX_ROWS);
  return html`<section id="predicted"><h2>What was predicted</h2>
<p class="lead">How often each class was predicted${report.quality !== null && `, the ${plural(unlabeled, 'record')} without a truth included`}. A mix that you do not expect is the first sign of wrong inputs or a wrong model.${never > 0 && ` Never predicted: ${grouped(never)} of ${grouped(mix.length)} classes.`}${rows.length < mix.length && ` These are the ${grouped(rows.length)} most frequent.`}</p>
${sortedTable(
  'predicted-table',
  [['Class', false, 'text'], ['Records', 'descending'], ['Share']],
  rows.map(
    (
      each,
    ) => html`<tr>${className(each, html`<span class="bar" style="--v:${coordinate((each.count / most.count) * 100)}%"></span>`)}${number(each.count, grouped(each.count))}${number(each.count, percent(each.share))}</tr>
`,
  ),
)}</section>`;
}
