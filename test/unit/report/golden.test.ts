import { expect, test } from 'vitest';
import { confusionMatrixSvg } from '../../../src/report/confusion-matrix-svg.ts';
import { Report } from '../../../src/report/report.ts';
import { reportHtml } from '../../../src/report/report-html.ts';
import { reportMarkdown } from '../../../src/report/report-markdown.ts';
import { terminalMatrix } from '../../../src/report/terminal-matrix.ts';
import { terminalMix } from '../../../src/report/terminal-mix.ts';
import { random } from '../../support/random.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';
import { unjudgedReport } from '../../support/unjudged-report.ts';

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

test('a run without truth tells what was predicted', async () => {
  const report = unjudgedReport(10, 2_000);
  await expect(reportHtml(report)).toMatchFileSnapshot(golden('without-truth.html'));
  await expect(reportMarkdown(report)).toMatchFileSnapshot(golden('without-truth.md'));
  await expect(`${terminalMix(report)}\n`).toMatchFileSnapshot(golden('without-truth.txt'));
});

test('a run of which some records have a truth tells both', () => {
  const page = reportHtml(unjudgedReport(10, 500, 200));
  expect(page).toContain('id="class-table"');
  expect(page).toContain('How often each class was predicted, the 300 records without a truth included.');
});

test('of very many classes those that were predicted most are listed', () => {
  const page = reportHtml(unjudgedReport(1_500, 3_000));
  expect(page).toContain('These are the 1,200 most frequent.');
  const table = page.slice(0, page.indexOf('<section id="labels"'));
  expect(table.match(/<tr>/g)).toHaveLength(1_201);
});

/** Every pair of classes that occurs, as after ten million records. */
function crowded(classCount: number, perClass = 500): Report {
  const report = syntheticReport(classCount === 1_000 ? 1_000 : 10, 500);
  const next = random(classCount);
  const classes = Array.from({ length: classCount }, (_, at) => ({
    ...report.classes[at % report.classes.length]!,
    name: `${report.classes[at % report.classes.length]!.name}, a kind of bird number ${at}`,
    support: 10_000,
  }));
  const confusion = classes.flatMap((_, truth) =>
    Array.from({ length: perClass }, (_, at): [number, number, number] => [
      truth,
      (truth + at * Math.floor(classCount / perClass)) % classCount,
      at === 0 ? 9_000 : 1 + Math.floor(next() ** 4 * 20),
    ]).sort((a, b) => a[1] - b[1]),
  );
  return { ...report, classes, confusion };
}

test('a crowded matrix stays a page of 2 MB', () => {
  expect(reportHtml(crowded(1_000)).length).toBeLessThan(2_000_000);
});

test('a matrix that no screen could show is not drawn', () => {
  const page = reportHtml(crowded(10_000, 3));
  expect(page.length).toBeLessThan(1_000_000);
  expect(page).toContain('A matrix of 10,000 classes cannot be read.');
  expect(page).toContain('These are the 1,200 of 10,000 classes with the lowest recall.');
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
