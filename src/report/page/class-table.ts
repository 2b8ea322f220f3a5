import { decimal, grouped, percent } from '../../text/figures.ts';
import type { Report, ReportClass } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { className, MAX_ROWS, number, sortedTable, strip } from './sorted-table.ts';

/** Classes up to which each has its ROC AUC and average precision: of more, their bounds say little. */
const MAX_CURVES = 100;

/** Every class with its figures, worst recall first; a script sorts by any column. */
export function classTable(report: Report): Markup | false {
  if (report.quality === null) return false;
  const all = report.classes
    .map((each, place) => ({ ...each, place }))
    .filter((each) => each.support + each.predicted + each.predictedUnlabeled > 0 || each.listed)
    .sort((a, b) => (a.recall ?? 2) - (b.recall ?? 2) || b.support - a.support);
  const rows = all.slice(0, MAX_ROWS);
  const curves = all.length <= MAX_CURVES && rows.some((each) => each.rocAuc !== null);
  const takenFor = mostTakenFor(report);
  return html`<section id="classes"><h2>Class by class</h2>
<p class="lead">Recall is the share of a class that was found, with its 95% interval; precision is how often the class is right when it is said.${rows.length < all.length && ` These are the ${grouped(rows.length)} of ${grouped(all.length)} classes with the lowest recall.`}</p>
${sortedTable(
  'class-table',
  [
    ['Class', false, 'text'],
    ['Records'],
    ['Recall', 'ascending'],
    ['Precision'],
    ['F1'],
    curves && ['ROC AUC'],
    curves && ['Avg. precision'],
    ['Most often taken for', false, 'text'],
  ],
  rows.map((each) => row(each, curves, takenFor.get(each.place))),
)}</section>`;
}

function row(each: ReportClass, curves: boolean, taken: { name: string; count: number } | undefined): Markup {
  return html`<tr>${className(each)}${number(each.support, grouped(each.support))}${recall(each)}${share(each.precision)}${share(each.f1)}${curves && share(each.rocAuc?.value ?? null, 2)}${curves && share(each.averagePrecision?.value ?? null)}<td class="text" data-v="${taken?.count ?? 0}">${taken !== undefined && html`${taken.name} <span class="muted">${grouped(taken.count)}</span>`}</td></tr>
`;
}

function recall({ recall: value, recallInterval: interval }: ReportClass): Markup {
  if (value === null || interval === null) return number(-1, '–');
  return html`<td data-v="${decimal(value, 5)}">${percent(value)}${strip(value, interval)}</td>`;
}

function share(value: number | null, digits = 1): Markup {
  return value === null ? number(-1, '–') : number(Number(decimal(value, 6)), percent(value, digits));
}

function mostTakenFor({ classes, confusion }: Report): Map<number, { name: string; count: number }> {
  const found = new Map<number, { name: string; count: number }>();
  for (const [truth, predicted, count] of confusion) {
    if (truth === predicted || count <= (found.get(truth)?.count ?? 0)) continue;
    found.set(truth, { name: classes[predicted]?.name ?? '', count });
  }
  return found;
}
