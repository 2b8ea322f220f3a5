import { createHash } from 'node:crypto';
import path from 'node:path';
import { expect } from 'vitest';
import { PAGE_STYLE } from '../../src/report/page/page-style.ts';
import { reportHtml } from '../../src/report/page/report-html.ts';
import { Report } from '../../src/report/report.ts';
import { confusionMatrixSvg } from '../../src/report/svg/confusion-matrix-svg.ts';
import { terminalMatrix } from '../../src/report/terminal/terminal-matrix.ts';
import { reportMarkdown } from '../../src/report/text/report-markdown.ts';
import { syntheticReport } from './synthetic-report.ts';

export const golden = (name: string) => path.resolve(import.meta.dirname, '../golden/report', name);

/** The page without the texts that all pages share: the style sheet gives way to its name, the script to its hash. */
export function withoutCommonText(page: string): string {
  return page
    .replace(`<style>${PAGE_STYLE}</style>`, '<style>PAGE_STYLE</style>')
    .replace(
      /<script>(.*)<\/script>/s,
      (_, script: string) =>
        `<script>sha256-${createHash('sha256').update(script).digest('base64')}</script>`,
    );
}

/** Compares every form of the report of a made run with its golden file. */
export async function looksAsItDid(classes: number, records: number): Promise<void> {
  const report = syntheticReport(classes, records);
  expect(Report.parse(report)).toEqual(report);
  const html = reportHtml(report);
  expect(html.length).toBeLessThan(2 * 1024 * 1024);
  await expect(`${JSON.stringify(report)}\n`).toMatchFileSnapshot(golden(`${classes}-classes.json`));
  await expect(confusionMatrixSvg(report).markup).toMatchFileSnapshot(golden(`${classes}-classes.svg`));
  await expect(withoutCommonText(html)).toMatchFileSnapshot(golden(`${classes}-classes.html`));
  await expect(reportMarkdown(report)).toMatchFileSnapshot(golden(`${classes}-classes.md`));
  await expect(`${terminalMatrix(report)}\n`).toMatchFileSnapshot(golden(`${classes}-classes.txt`));
}
