import { percent } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import type { Report } from '../report.ts';
import { MAX_DRAWN_CLASSES } from '../svg/matrix-raster.ts';
import { html, type Markup } from './markup.ts';
import { fileLink, runLink } from './page-links.ts';

/** Files of the run, the runs that it has to do with, and its pipeline. */
export function filesSection(report: Report): Markup {
  const { run, previous, comparison, rescoreOf } = report;
  const [pipeline = ''] = run.split('/');
  return html`<section id="files"><h2>Files and other runs</h2>
<dl class="receipt"><dt>Files</dt><dd>${filesOf(report).map(([name, holds], at) => html`${at > 0 && ', '}${fileLink(name)} <span class="muted">${holds}</span>`)}${report.records > 0 && html`, rows/*.parquet <span class="muted">a row for each record, in the bucket alone</span>`}</dd>
${
  comparison !== null &&
  html`<dt>${comparison.replay ? 'Replay of' : 'Baseline'}</dt><dd>${runLink(comparison.baseline)}</dd>
`
}${
    rescoreOf !== null &&
    html`<dt>Rescore of</dt><dd>${runLink(rescoreOf)}</dd>
`
  }${
    previous !== null &&
    html`<dt>Previous run</dt><dd>${runLink(previous.run)}${previous.accuracy !== null && html` <span class="muted">accuracy ${percent(previous.accuracy)}</span>`}</dd>
`
  }<dt>Pipeline</dt><dd>${pipeline} <span class="key muted">inferdrop runs --pipeline ${quoted(pipeline)}</span></dd></dl></section>`;
}

function filesOf(report: Report): (readonly [name: string, holds: string])[] {
  const { records, errors, comparison, suspectLabels, confusion, classes } = report;
  const isDrawn = confusion.length > 0 && classes.length <= MAX_DRAWN_CLASSES;
  return [
    ['report.json', 'all figures'],
    ['summary.md', 'in words'],
    ...(isDrawn ? [['confusion-matrix.svg', 'the matrix as a picture'] as const] : []),
    ...(records + errors > 0 ? [['errors.csv', 'inputs without a prediction'] as const] : []),
    ...(comparison === null ? [] : [['flips.csv', 'predictions that changed'] as const]),
    ...(suspectLabels === null
      ? []
      : [['suspect-labels.csv', 'mistakes with a label worth a look'] as const]),
    ['receipt.json', 'what repeats the run'],
  ];
}
