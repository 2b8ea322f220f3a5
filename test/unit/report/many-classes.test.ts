import { expect, test } from 'vitest';
import { html } from '../../../src/report/page/markup.ts';
import { matrixSection } from '../../../src/report/page/matrix-section.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import type { Report } from '../../../src/report/report.ts';
import { confusionMatrixSvg } from '../../../src/report/svg/confusion-matrix-svg.ts';
import { golden } from '../../support/golden-report.ts';
import { random } from '../../support/random.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';
import { unjudgedReport } from '../../support/unjudged-report.ts';

test('a matrix of 1,000 classes looks as it did, an image on the page and in its file', async () => {
  const report = syntheticReport(1_000, 3_000);
  await expect(confusionMatrixSvg(report).markup).toMatchFileSnapshot(golden('1000-classes.svg'));
  await expect(html`${matrixSection(report)}`.markup).toMatchFileSnapshot(golden('1000-classes.html'));
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
