import { expect, test } from 'vitest';
import { confusionMatrixSvg } from '../../../src/report/confusion-matrix-svg.ts';
import { reportHtml } from '../../../src/report/report-html.ts';
import { reportMarkdown } from '../../../src/report/report-markdown.ts';
import { Report } from '../../../src/report/report.ts';
import { terminalMatrix } from '../../../src/report/terminal-matrix.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const golden = (name: string) => `../../golden/report/${name}`;

test.each([
  [2, 500],
  [10, 2_000],
  [100, 3_000],
  [1_000, 3_000],
])('a run of %d classes looks as it did', async (classes, records) => {
  const report = syntheticReport(classes, records);
  expect(Report.parse(report)).toEqual(report);
  const html = reportHtml(report);
  expect(html.length).toBeLessThan(2 * 1024 * 1024);
  await expect(`${JSON.stringify(report)}\n`).toMatchFileSnapshot(golden(`${classes}-classes.json`));
  await expect(confusionMatrixSvg(report).markup).toMatchFileSnapshot(golden(`${classes}-classes.svg`));
  await expect(html).toMatchFileSnapshot(golden(`${classes}-classes.html`));
  await expect(reportMarkdown(report)).toMatchFileSnapshot(golden(`${classes}-classes.md`));
  await expect(`${terminalMatrix(report)}\n`).toMatchFileSnapshot(golden(`${classes}-classes.txt`));
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
    gate: { verdict: 'none', explanation: '' },
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
  await expect(reportHtml(report)).toMatchFileSnapshot(golden('refused.html'));
  await expect(reportMarkdown(report)).toMatchFileSnapshot(golden('refused.md'));
});
