import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { saveReport } from '../../../src/cli/files/save-report.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a saved report leads to its files and to the pages of the other runs that are still there', async () => {
  const report = {
    ...syntheticReport(2, 50),
    run: 'birds/monday/000001',
    rescoreOf: 'birds/../000001',
    previous: { run: 'birds/gone/000001', accuracy: 0.5 },
  };
  const store = memoryObjectStore();
  const run = aRun(report.run);
  store.put(bucketLayout.reportHtml(run), reportHtml(report));
  store.put(bucketLayout.reportJson(run), JSON.stringify(report));
  store.put(bucketLayout.errors(run), 'key\n');
  // A drop may have the name of a folder above: no file is named for it.
  store.put(bucketLayout.reportHtml(aRun('birds/../000001')), '<p>the original');
  const folder = temporaryFolder('save-report-');
  const file = await saveReport(store, run, folder);
  const page = await readFile(file, 'utf8');
  expect(page).toContain('<a data-run="birds/../000001" href="runs/original.html">');
  expect(page).toContain('href="errors.csv"');
  expect(page).toContain('<a data-run="birds/gone/000001">');
  expect((await readdir(folder)).sort()).toEqual(['errors.csv', 'report.html', 'report.json', 'runs']);
  expect(await readdir(path.join(folder, 'runs'))).toEqual(['original.html']);
});
