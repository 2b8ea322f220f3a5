import { UNJUDGED } from '../../tasks/unjudged.ts';
import { coordinate, grouped, percent, plural } from '../../text/figures.ts';
import { accuracyFact, facts } from '../facts.ts';
import type { Report } from '../report.ts';
import { isUncompleted } from '../run-status.ts';
import { linearScale, shareTicks } from '../svg/linear-scale.ts';
import { factRows } from './fact-rows.ts';
import { html, type Markup } from './markup.ts';

/** Cap on the top-k figures drawn above the line; the last ones are kept, being furthest from accuracy. */
const MAX_TOP_K = 2;

/** The first screen: accuracy and its interval, counts, cost, and the gate's verdict. */
export function headline(report: Report): Markup {
  return html`<div class="headline">
<div>${figure(report)}</div>
<dl class="facts">${factRows(facts(report).filter(({ label }) => label !== 'Accuracy'))}</dl>
${verdict(report)}
</div>`;
}

/** The largest words of the page: the accuracy, unless the run ended early and its figures would mislead. */
function figure(report: Report): Markup {
  const { quality, status } = report;
  if (isUncompleted(status))
    return html`<p class="accuracy ended">${status}</p><p class="accuracy-note">${report.records === 0 ? 'Nothing was predicted' : predicted(report)}.</p>`;
  return quality === null ? noAccuracy(report) : accuracy(quality, report);
}

function predicted({ records, errors, quality }: Report): Markup {
  return html`${grouped(records)} of ${plural(records + errors, 'record')} predicted${quality !== null && html`; ${grouped(quality.correct)} of the ${grouped(quality.labeled)} labeled ones right (${percent(quality.accuracy)})`}`;
}

function accuracy(
  quality: NonNullable<Report['quality']>,
  { sample, ledger }: Pick<Report, 'sample' | 'ledger'>,
): Markup {
  const { value, note } = accuracyFact(quality, sample, ledger);
  return html`<p class="accuracy">${value.slice(0, -1)}<small>%</small></p>
<p class="accuracy-note">accuracy: ${note}.</p>
${scale(quality)}`;
}

function noAccuracy(report: Report): Markup {
  return html`<p class="accuracy">${grouped(report.records)}</p><p class="accuracy-note">${
    report.records > 0
      ? html`record${report.records > 1 && 's'} ${UNJUDGED[report.task] === null ? 'predicted, with no truth to judge by: there is no accuracy' : 'answered; nobody judges the answers'}.`
      : 'records predicted.'
  }</p>`;
}

/** Accuracy with its interval on a line, and the other averages next to it. */
function scale(quality: NonNullable<Report['quality']>): Markup {
  const marks = [
    { at: quality.balancedAccuracy, name: 'balanced' },
    ...quality.topK
      .filter(({ k }) => k > 1)
      .slice(-MAX_TOP_K)
      .map(({ k, accuracy: at }) => ({ at, name: `top-${k}` })),
  ];
  const lowest = Math.min(quality.accuracyInterval.low, ...marks.map(({ at }) => at));
  const from = lowest > 0.55 ? 0.5 : 0;
  const x = linearScale([from, 1], [0, 460]);
  return html`<svg class="scale" viewBox="-16 -26 500 62" role="img" aria-label="Accuracy ${percent(quality.accuracy)} on a line from ${percent(from, 0)} to 100%, ${marks.map(({ at, name }) => `${name} ${percent(at)}`).join(', ')}">
<line class="axis" x1="0" x2="460" y1="8" y2="8"/>
${shareTicks(from).map((tick) => html`<line class="axis" x1="${x(tick)}" x2="${x(tick)}" y1="4" y2="12"/><text x="${x(tick)}" y="28" text-anchor="middle" font-size="12">${percent(tick, 0)}</text>`)}
<rect class="fr" opacity=".35" x="${px(x(quality.accuracyInterval.low))}" width="${px(Math.max(2, x(quality.accuracyInterval.high) - x(quality.accuracyInterval.low)))}" y="3" height="10" rx="2"/>
<circle class="fr" cx="${px(x(quality.accuracy))}" cy="8" r="5"/>
${spread(marks, x).map(({ at, name, label }) => html`<path class="rule" d="M${px(x(at))},2V-8L${px(label)},-13"/><text x="${px(label)}" y="-17" text-anchor="middle" font-size="12">${name} ${percent(at)}</text>`)}
</svg>`;
}

/** Moves labels of close marks apart. */
function spread(
  marks: readonly { at: number; name: string }[],
  x: (value: number) => number,
): { at: number; name: string; label: number }[] {
  const placed: { at: number; name: string; label: number }[] = [];
  for (const mark of marks.toSorted((a, b) => b.at - a.at)) {
    const next = placed.at(-1);
    placed.push({ ...mark, label: Math.min(x(mark.at), next === undefined ? 430 : next.label - 108) });
  }
  return placed;
}

function verdict({ gate, status }: Report): Markup | false {
  if (status === 'refused' || status === 'empty') return false;
  const tone = gate.verdict === 'passed' ? 'good' : gate.verdict === 'failed' ? 'bad' : '';
  return html`<p class="verdict ${tone}">${gate.verdict !== 'none' && html`<b>${gate.verdict === 'passed' ? '✓' : '✗'}</b> `}<span>${gate.explanation}</span></p>`;
}

function px(value: number): number {
  return Number(coordinate(value));
}
