import { expect, test } from 'vitest';
import { facts } from '../../../src/report/facts.ts';
import { classTable } from '../../../src/report/page/class-table.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import type { Report } from '../../../src/report/report.ts';
import type { SuspectLabels } from '../../../src/report/suspect-labels.ts';
import { reportMarkdown } from '../../../src/report/text/report-markdown.ts';
import { suspectsText } from '../../../src/report/text/suspects-text.ts';
import { pageWords } from '../../support/page-words.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const REPORT = syntheticReport(10, 500);
const gate = (verdict: Report['gate']['verdict'], isSet = true) => ({ verdict, isSet, explanation: '' });

test.each<[Report['status'], Report['gate'], string, string]>([
  ['completed', gate('passed'), 'good', 'passed'],
  ['completed', gate('failed'), 'bad', 'failed'],
  ['completed', gate('none'), '', 'no verdict'],
  ['completed', gate('none', false), '', 'no gate'],
  ['completed-with-errors', gate('failed'), 'bad', 'failed, with errors'],
  ['canceled', gate('none'), '', 'canceled'],
])('the pill of a run that is %s, with the gate %j, is %s: %s', (status, judged, tone, words) => {
  const page = reportHtml({ ...REPORT, status, gate: judged });
  expect(page).toContain(`<span class="pill ${tone}">${words}</span>`);
});

const FOUND: SuspectLabels = {
  labeled: 100,
  correct: 90,
  leftOut: 0,
  mistakes: 10,
  suspects: 5,
  undecided: 0,
  accuracy: 0.9,
  accuracyAtMost: 0.95,
  first: [],
};
const supports = (...counts: readonly number[]) =>
  counts.map((support, at) => ({ ...REPORT.classes[at]!, support }));

test.each<[string, Partial<SuspectLabels>, Report['classes'], boolean]>([
  ['half of the mistakes', {}, supports(10, 50, 10), true],
  ['more than half of them', { suspects: 6 }, supports(10, 50, 10), false],
  ['none', { suspects: 0 }, supports(10, 50, 10), false],
  ['mistakes of rare classes', {}, supports(9, 50, 9), false],
  ['mistakes where many classes have no records', {}, supports(0, 0, 0, 50), true],
])('labels worth a look that are %s', (_, change, classes, isTold) => {
  const labels = facts({ ...REPORT, classes, suspectLabels: { ...FOUND, ...change } }).filter(
    ({ label }) => label === 'Labels',
  );
  expect(labels.map(({ value, note }) => [value, note])).toEqual(
    isTold ? [['5 worth a look', 'of 10 mistakes']] : [],
  );
});

test('a weak model has no upper bound of its accuracy', () => {
  expect(suspectsText({ ...FOUND, accuracy: 0.69 }, null)).toBe('accuracy is 69.0% by the labels');
  expect(suspectsText({ ...FOUND, accuracy: 0.7 }, null)).toContain('at most 95.0%');
});

test('a confusion of one record is not told in words', () => {
  const confusion: Report['confusion'] = [
    [0, 1, 1],
    [2, 3, 2],
  ];
  const told = reportMarkdown({ ...REPORT, confusion });
  expect(told.match(/ taken for /g)).toHaveLength(1);
  expect(reportMarkdown({ ...REPORT, confusion: confusion.slice(0, 1) })).not.toContain('confusions');
});

test('curves of more than 100 classes are left out of the table', () => {
  const curve = { value: 0.9, errorBound: 0.1 };
  const table = (count: number) => {
    const all = Array.from({ length: count }, (_, at) => ({
      ...REPORT.classes[0]!,
      name: `${at}`,
      rocAuc: curve,
    }));
    const section = classTable({ ...REPORT, classes: all });
    return section === false ? '' : pageWords(section);
  };
  expect(table(100)).toContain('ROC AUC');
  expect(table(101)).not.toContain('ROC AUC');
});
