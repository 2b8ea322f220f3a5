import { expect, test } from 'vitest';
import { filesSection } from '../../../src/report/page/files-section.ts';
import { html } from '../../../src/report/page/markup.ts';
import { fileLink, linkPage, runLink } from '../../../src/report/page/page-links.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const REPORT = syntheticReport(2, 100);
const PREVIOUS = REPORT.previous!.run;

test('a page by itself has no links to files, which a signed link would not open', () => {
  expect(reportHtml(REPORT)).not.toMatch(/href="(?!#)/);
});

test('a page has links to what lies beside it, and to nothing else', () => {
  const page = linkPage(reportHtml(REPORT), {
    files: ['report.json', 'errors.csv'],
    runs: new Map([[PREVIOUS, 'runs/previous.html']]),
  });
  expect(page).toContain('<a data-file="errors.csv" href="errors.csv">errors.csv</a>');
  expect(page).toContain(`<a data-run="${PREVIOUS}" href="runs/previous.html">${PREVIOUS}</a>`);
  expect(new Set(page.match(/href="(?!#)[^"]*"/g))).toEqual(
    new Set(['href="report.json"', 'href="errors.csv"', 'href="runs/previous.html"']),
  );
});

test('a name of users is no mark of a link', () => {
  const hostile = 'birds/" data-file="report.json/000001';
  const page = html`<p>${hostile} data-file="x"${runLink(hostile)}${fileLink('report.json')}</p>`.markup;
  const linked = linkPage(page, { files: ['report.json'], runs: new Map([[hostile, 'runs/baseline.html']]) });
  expect(linked.match(/ href="[^"]*"/g)).toEqual([' href="runs/baseline.html"', ' href="report.json"']);
});

test('runs and files that a report does not have are not listed', () => {
  const bare = filesSection({ ...REPORT, previous: null, comparison: null, suspectLabels: null }).markup;
  expect(bare).not.toMatch(/Previous run|Baseline|Rescore of|flips\.csv|suspect-labels\.csv/);
  const rescored = filesSection({ ...REPORT, rescoreOf: 'birds/monday/000001' }).markup;
  expect(rescored).toContain('<dt>Rescore of</dt><dd><a data-run="birds/monday/000001">');
});
