import { decimal, grouped, percent, plural, pText, signedPercent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { isDifferent, isWeaker, MIN_TESTED, type ReportSlice, type ReportSlices } from '../report-slices.ts';
import { html, type Markup } from './markup.ts';
import { number, sortedTable, strip } from './sorted-table.ts';

/** Accuracy by slice, the weakest first; false without dimensions or labels. */
export function slicesSection({ slices }: Report): Markup | false {
  if (slices === null || slices.found === 0) return false;
  const { weakest, tested, found } = slices;
  return html`<section id="slices"><h2>Slice by slice</h2>
<p class="lead">Accuracy by ${slices.dimensions.map(({ name }) => name).join(', ')}, the weakest first: by the upper end of the 95% interval, which a slice is surely not better than. ${tests(tested)}${tested < found && ` Slices of fewer than ${MIN_TESTED} labeled records follow, untested.`}${weakest.length < found && ` These are ${grouped(weakest.length)} of ${plural(found, 'slice')}.`}</p>
${slices.dimensions.map(rest)}
${sortedTable(
  'slice-table',
  [
    ['Slice', false, 'text'],
    ['Records'],
    ['Accuracy'],
    ['Against the rest'],
    ['Mistakes above the rest'],
    ['Difference', false, 'text'],
  ],
  weakest.map(row),
  'slices',
)}</section>`;
}

function tests(tested: number): string {
  if (tested === 0) return 'No slice and its rest have enough records to be tested.';
  return (
    'A difference to the rest is marked where it is more than chance: p below 0.05 after Holm’s correction for ' +
    `${plural(tested, 'slice')}.`
  );
}

/** The values of a dimension that are not listed. */
function rest({ name, values, other }: ReportSlices['dimensions'][number]): Markup | false {
  if (other.labeled === 0) return false;
  return html`<p class="muted">${name} has more values than are listed: ${grouped(values)} were drawn at random, and the others have ${plural(other.labeled, 'record')}, ${percent(other.correct / other.labeled)} right.</p>
`;
}

function row(slice: ReportSlice): Markup {
  const { dimension, value, labeled, accuracy, interval, difference, excessMistakes } = slice;
  const against =
    difference === null
      ? number(0, '–')
      : number(Number(decimal(difference, 6)), `${signedPercent(difference)} points`);
  return html`<tr><td class="wrap"><span class="muted">${dimension}</span> ${value === null ? html`<i>no value</i>` : html`<b>${value}</b>`}</td>${number(labeled, grouped(labeled))}<td data-v="${decimal(accuracy, 5)}">${percent(accuracy)}${strip(accuracy, interval)}</td>${against}${number(Number(decimal(excessMistakes, 3)), excessMistakes < 0.5 ? '–' : grouped(Math.round(excessMistakes)))}<td class="text" data-v="${slice.pValue ?? 2}">${verdict(slice)}</td></tr>
`;
}

function verdict(slice: ReportSlice): Markup {
  const { pValue } = slice;
  if (pValue === null) return html`<span class="muted">not tested</span>`;
  if (!isDifferent(slice)) return html`<span class="muted">chance explains it</span>`;
  return html`<b class="${isWeaker(slice) ? 'bad' : 'good'}">${isWeaker(slice) ? 'weaker' : 'stronger'}</b>, ${pText(pValue)}`;
}
