import { expect, test } from 'vitest';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import { Report } from '../../../src/report/report.ts';
import { confusionMatrixSvg } from '../../../src/report/svg/confusion-matrix-svg.ts';
import { terminalMatrix } from '../../../src/report/terminal/terminal-matrix.ts';
import { terminalMix } from '../../../src/report/terminal/terminal-mix.ts';
import { reportMarkdown } from '../../../src/report/text/report-markdown.ts';
import { golden, withoutCommonText } from '../../support/golden-report.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';
import { unjudgedReport } from '../../support/unjudged-report.ts';

test.each([
  [2, 500],
  [10, 2_000],
  [100, 3_000],
])('a run of %d classes looks as it did', async (classes, records) => {
  const report = syntheticReport(classes, records);
  expect(Report.parse(report)).toEqual(report);
  await expect(`${JSON.stringify(report)}\n`).toMatchFileSnapshot(golden(`${classes}-classes.json`));
  await expect(confusionMatrixSvg(report).markup).toMatchFileSnapshot(golden(`${classes}-classes.svg`));
  await expect(withoutCommonText(reportHtml(report))).toMatchFileSnapshot(golden(`${classes}-classes.html`));
  await expect(reportMarkdown(report)).toMatchFileSnapshot(golden(`${classes}-classes.md`));
  await expect(`${terminalMatrix(report)}\n`).toMatchFileSnapshot(golden(`${classes}-classes.txt`));
});

test('a run without truth tells what was predicted', async () => {
  const report = unjudgedReport(10, 2_000);
  await expect(withoutCommonText(reportHtml(report))).toMatchFileSnapshot(golden('without-truth.html'));
  await expect(reportMarkdown(report)).toMatchFileSnapshot(golden('without-truth.md'));
  await expect(`${terminalMix(report)}\n`).toMatchFileSnapshot(golden('without-truth.txt'));
});

test('a run of which some records have a truth tells both', () => {
  const page = reportHtml(unjudgedReport(10, 500, 200));
  expect(page).toContain('id="class-table"');
  expect(page).toContain('How often each class was predicted, the 300 records without a truth included.');
});

test('a refused run tells every problem and what to do', async () => {
  const report: Report = {
    ...syntheticReport(2, 0),
    status: 'refused',
    total: 3,
    classes: [],
    errorsByReason: {},
    errors: 0,
    failures: [],
    setup: null,
    jobs: [],
    notes: [],
    absent: [],
    gate: { verdict: 'none', explanation: '', isSet: false },
    failure: { error: 'PlanRefused', cause: 'refused', nextStep: 'Correct what the problems name.' },
    problems: [
      {
        file: 'pipeline.json',
        field: 'transform.maxPayloadInMB',
        value: '500',
        message: 'must be 1..100, is 500',
      },
      {
        file: 'pipeline.json',
        field: 'labels.clases',
        value: '[]',
        message: 'is unknown; did you mean labels.classes?',
      },
    ],
  };
  await expect(withoutCommonText(reportHtml(report))).toMatchFileSnapshot(golden('refused.html'));
  await expect(reportMarkdown(report)).toMatchFileSnapshot(golden('refused.md'));
});
