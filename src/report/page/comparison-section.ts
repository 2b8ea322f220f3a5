import { shownRecord } from '../../input/shown-place.ts';
import { type Flip, flipKind } from '../../metric/flip.ts';
import { UNJUDGED } from '../../tasks/unjudged.ts';
import { coordinate, grouped, percent, plural, pText, short, signedPercent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import type { ReportComparison } from '../report-comparison.ts';
import { linearScale } from '../svg/linear-scale.ts';
import { replayText } from '../text/replay-text.ts';
import { html, type Markup } from './markup.ts';
import { fileLink, runLink } from './page-links.ts';

/** Cap on the classes, by change of recall, that the page shows; report.json has all. */
const SHOWN_CLASSES = 24;
/** Cap on the flips of each kind that the page shows; flips.csv has all. */
const SHOWN_FLIPS = 20;

/** Comparison of this run with its baseline: the changes, whether chance explains them, and the inputs that flipped. */
export function comparisonSection({ comparison, task }: Report): Markup | false {
  if (comparison === null) return false;
  const { baseline, inputs, answered, sameClass } = comparison;
  const isJudged = UNJUDGED[task] === null;
  const title = comparison.replay ? 'Against the run it repeats' : 'Against the baseline';
  return html`<section id="comparison"><h2>${title}</h2>
<p class="lead"><b>${runLink(baseline)}</b>: ${plural(inputs.paired, 'input')} of the same content, ${plural(answered, 'record')} with a prediction in both runs.${others(comparison)}</p>
${comparison.replay && html`<p>${replayText(comparison, task)}.</p>`}
${isJudged ? judged(comparison) : html`<p>${grouped(sameClass)} of ${plural(answered, 'answer')} are the same.</p>`}
${flips(comparison, isJudged)}</section>`;
}

function judged(comparison: ReportComparison): Markup {
  if (comparison.accuracy === null)
    return html`<p>No record has a truth and a prediction in both runs, so accuracy cannot be compared.</p>`;
  return html`${cells(comparison, comparison.accuracy)}${classes(comparison)}`;
}

function others({ inputs: { changed, added, missing } }: ReportComparison): string {
  const parts = [
    ...(changed > 0 ? [`${grouped(changed)} with other content`] : []),
    ...(added > 0 ? [`${grouped(added)} only here`] : []),
    ...(missing !== null && missing > 0 ? [`${grouped(missing)} only there`] : []),
  ];
  return parts.length === 0 ? '' : ` Left out: ${parts.join(', ')}.`;
}

type Accuracy = NonNullable<ReportComparison['accuracy']>;

function cells(comparison: ReportComparison, accuracy: Accuracy): Markup {
  const { lost, gained, bothRight, bothWrong, pValue, exact } = comparison;
  const test = exact ? 'exact McNemar' : 'McNemar, corrected';
  return html`<dl class="figures">
<div><dt>Accuracy, both runs</dt><dd>${percent(accuracy.before)} → ${percent(accuracy.now)}</dd></div>
<div><dt>Change</dt><dd>${signedPercent(accuracy.change)} <small>${signedPercent(accuracy.interval.low)} … ${signedPercent(accuracy.interval.high)}</small></dd></div>
${
  pValue !== null &&
  html`<div><dt>Is it chance?</dt><dd>${pText(pValue)} <small>${test}</small></dd></div>
`
}<div><dt>Right before, wrong now</dt><dd>${grouped(lost)}</dd></div>
<div><dt>Wrong before, right now</dt><dd>${grouped(gained)}</dd></div>
<div><dt>Right, wrong in both</dt><dd>${grouped(bothRight)} and ${grouped(bothWrong)}</dd></div>
</dl>`;
}

function classes(comparison: ReportComparison): Markup | false {
  const moved = comparison.classes
    .filter(({ lost, gained }) => lost + gained > 0)
    .sort((a, b) => Math.abs(b.recall.change) - Math.abs(a.recall.change));
  if (moved.length === 0) return html`<p class="muted">No record became right or wrong.</p>`;
  const shown = moved.slice(0, SHOWN_CLASSES).sort((a, b) => a.recall.change - b.recall.change);
  const reach = Math.max(...shown.map(({ recall }) => Math.max(-recall.interval.low, recall.interval.high)));
  const x = linearScale([-reach, reach], [5, 215]);
  return html`<h3>Change of recall by class${moved.length > shown.length && html` <span class="muted">the ${shown.length} that moved most of ${grouped(moved.length)}</span>`}</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Change of recall by class"><table class="list"><thead><tr><th scope="col">Class</th><th scope="col">Records</th><th scope="col">Before</th><th scope="col">Now</th><th scope="col">Change</th><th scope="col" class="text">with its 95% interval</th><th scope="col">Lost</th><th scope="col">Gained</th></tr></thead><tbody>
${shown.map(
  ({ name, lost, gained, recall }) =>
    html`<tr><td class="wrap">${name}</td><td>${grouped(recall.records)}</td><td>${percent(recall.before)}</td><td>${percent(recall.now)}</td><td>${signedPercent(recall.change)}</td><td class="text">${whisker(recall, x)}</td><td>${grouped(lost)}</td><td>${grouped(gained)}</td></tr>
`,
)}</tbody></table></div>`;
}

function whisker(
  recall: ReportComparison['classes'][number]['recall'],
  x: (value: number) => number,
): Markup {
  const { change, interval } = recall;
  const color = change < 0 ? 'fw' : 'fr';
  const at = (value: number): string => coordinate(x(value));
  return html`<svg width="220" height="14" viewBox="0 0 220 14" role="img" aria-label="${signedPercent(interval.low)} to ${signedPercent(interval.high)}"><line class="axis" x1="${at(0)}" x2="${at(0)}" y1="0" y2="14"/><rect class="${color}" opacity=".4" x="${at(interval.low)}" width="${coordinate(x(interval.high) - x(interval.low))}" y="5" height="4" rx="2"/><circle class="${color}" cx="${at(change)}" cy="7" r="3.5"/></svg>`;
}

const TITLES = {
  lost: 'Right before, wrong now',
  gained: 'Wrong before, right now',
  changed: 'Another class, right in neither or truth not known',
} as const;

function flips(comparison: ReportComparison, isJudged: boolean): Markup | false {
  const { answered, sameClass, lost, gained } = comparison;
  const total = answered - sameClass;
  if (total === 0) return isJudged && html`<p class="muted">No prediction is another one.</p>`;
  const counts = { lost, gained, changed: total - lost - gained };
  return html`<h3>Inputs that flipped <span class="muted">${grouped(total)}, all in ${fileLink('flips.csv')}</span></h3>
${(['lost', 'gained', 'changed'] as const).map((kind) => kindOfFlips(kind, counts[kind], comparison.flips, isJudged))}`;
}

function kindOfFlips(
  kind: keyof typeof TITLES,
  count: number,
  flips: readonly Flip[],
  isJudged: boolean,
): Markup | false {
  const shown = flips.filter((flip) => flipKind(flip) === kind).slice(0, SHOWN_FLIPS);
  if (shown.length === 0) return false;
  const title = isJudged ? TITLES[kind] : 'Another answer';
  // Classes are short; an answer is JSON of any length.
  const cell = isJudged ? 'text' : 'text wrap key';
  const some = shown.length < count ? `, ${isJudged ? 'the surest' : 'the first'} ${shown.length}` : '';
  return html`<details${(kind === 'lost' || !isJudged) && html` open`}><summary>${title}: ${grouped(count)}${some}</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list"><thead><tr><th scope="col">Input</th>${isJudged && html`<th scope="col" class="text">Truth</th>`}<th scope="col" class="text">Before</th><th scope="col" class="text">Now</th></tr></thead><tbody>
${shown.map(
  ({ truth, before, now, scoreBefore, scoreNow, ...place }) =>
    html`<tr><td class="wrap key">${shownRecord(place)}</td>${isJudged && html`<td class="text">${truth ?? '–'}</td>`}<td class="${cell}">${before}${score(scoreBefore)}</td><td class="${cell}">${now}${score(scoreNow)}</td></tr>
`,
)}</tbody></table></div></details>`;
}

/** Winners' scores need not be probabilities. */
function score(value: number | null): Markup | false {
  return (
    value !== null &&
    html` <span class="muted">${value >= 0 && value <= 1 ? percent(value) : short(value)}</span>`
  );
}
