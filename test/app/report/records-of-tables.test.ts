import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { compareRuns } from '../../../src/app/report/compare-runs.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { chooseRecords } from '../../../src/app/review/choose-records.ts';
import { importAnswers } from '../../../src/app/review/import-answers.ts';
import { saveReview } from '../../../src/cli/files/save-review.ts';
import { comparisonLines } from '../../../src/cli/show/comparison-lines.ts';
import { mistakeLines } from '../../../src/cli/show/mistake-lines.ts';
import { Report } from '../../../src/report/report.ts';
import { PredictionRows } from '../../../src/report/table/prediction-rows.ts';
import { placeOfRow, readRows } from '../../../src/report/table/read-rows.ts';
import { githubMarkdown } from '../../../src/report/text/github-markdown.ts';
import { taskId } from '../../../src/review/review-task.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { drive, PREFIX } from '../../support/drive-transform.ts';
import { NOW, PARTS, PIPELINE } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { frozenFiles, planWithTars } from '../../support/tar-drop.ts';

const clock = () => NOW;
const KEY = `${PREFIX}a.csv`;
const OTHER = { ...PARTS, generation: '000002' };
const NONE = { wrong: true, suspect: false, unsure: undefined, random: undefined, controls: false };
const ROWS = ['who,x,y,shape', 'P1,1,2,circle', 'P2,3,circle', '', 'P3,7,6,square', 'P4,1,2,circle'];

/** A run of a table that ended: record 1 can't be read, and record 2, of line 5, is wrong. */
async function ended(): Promise<MemoryObjectStore> {
  const pipeline = {
    ...PIPELINE,
    columns: { features: ['x', 'y'], id: 'who' },
    transform: { contentType: 'text/csv' },
    labels: { ...PIPELINE.labels, truth: { from: 'column', column: 'shape' } },
  };
  const store = await frozenFiles({ 'a.csv': ROWS.join('\n') }, { pipeline });
  await planWithTars(store);
  await drive({ store, sagemaker: memorySageMaker({ clock }), clock }, (inputs) => ({
    write: inputs,
    status: 'Completed' as const,
    body: (name) => store.text(bucketLayout.bundles(PARTS) + name)!.replaceAll(/.+\n/g, '0.9,0.1\n'),
  }));
  for (const shard of JSON.parse(store.text(bucketLayout.shards(PARTS))!) as object[])
    await foldPredictions({ ...shard, run: PARTS } as never, { store, imageFacts, clock });
  const logs = memoryEngineLogs();
  await writeReport({ run: PARTS, startedAt: NOW.toISOString() }, { store, clock, logs, thumbnail });
  return store;
}

const reportOf = (store: MemoryObjectStore) =>
  Report.parse(JSON.parse(store.text(bucketLayout.reportJson(PARTS))!));
const rowsOf = async (store: MemoryObjectStore, run = PARTS) =>
  (await Array.fromAsync(readRows((await store.readBytes(bucketLayout.rows(run, 0)))!))).flat();

/** Another run of the same records, with another answer to record 2. */
async function withOther(store: MemoryObjectStore): Promise<void> {
  const folder = bucketLayout.run(PARTS);
  for (const key of store.keys(folder))
    store.put(bucketLayout.run(OTHER) + key.slice(folder.length), (await store.readBytes(key))!);
  const rows = new PredictionRows();
  for (const row of await rowsOf(store)) {
    const isOther = row.record_index === 2;
    const answer = isOther ? { prediction: 'square', correct: true } : {};
    rows.add({ ...row, ...placeOfRow(row), topK: row.top_k, ...answer });
  }
  store.put(bucketLayout.rows(OTHER, 0), rows.finish());
}

test('tables name a record by its file, its place, its line and its id, each in a column', async () => {
  const store = await ended();
  const rows = await rowsOf(store);
  expect(rows.map(({ key, record_index, line, id }) => [key, record_index, line, id])).toEqual([
    [KEY, 0, 2, 'P1'],
    // Nobody knows which of its cells is the id.
    [KEY, 1, 3, null],
    [KEY, 2, 5, 'P3'],
    [KEY, 3, 6, 'P4'],
  ]);
  expect(store.text(bucketLayout.errors(PARTS))!.split('\r\n').slice(0, 2)).toEqual([
    'key,record_index,line,id,reason,detail',
    `${KEY},1,3,,unreadable,"has 3 cells, and the first row has 4"`,
  ]);
  expect(store.text(bucketLayout.suspectLabels(PARTS))!.split('\r\n')[0]).toContain(
    'key,record_index,line,id,',
  );
  const place = { key: KEY, recordIndex: 2, line: 5, id: 'P3' };
  expect(reportOf(store).mistakes).toMatchObject([place]);
});

test('people see the file, the record, its line and its id', async () => {
  const store = await ended();
  const shown = `${KEY}, record 2 (line 5), id P3`;
  const report = reportOf(store);
  expect(mistakeLines(report, 5).at(-1)).toContain(shown);
  const page = store.text(bucketLayout.reportHtml(PARTS))!;
  expect(page).toContain(shown);
  expect(page).toContain('7,6<br>');
  expect(page).toContain(`${KEY}, record 1 (line 3)`);
  const ends = [page, store.text(bucketLayout.summary(PARTS))!, githubMarkdown(report, undefined, NOW)];
  for (const end of ends) expect(end).not.toMatch(/a\.csv\/0/);
});

test('the records of two runs are paired, and those that flipped are named', async () => {
  const store = await ended();
  await withOther(store);
  const { comparison, other } = await compareRuns(store, PARTS, OTHER);
  expect(comparison).toMatchObject({ answered: 3, sameClass: 2, lost: 1 });
  expect(comparison.flips).toMatchObject([{ key: KEY, recordIndex: 2, line: 5, id: 'P3' }]);
  const lines = comparisonLines(other, reportOf(store), comparison, silentTerminal());
  expect(lines.join('\n')).toContain(`${KEY}, record 2 (line 5), id P3`);
});

test('a review asks about a record by file and place, and its answers become rows of labels', async () => {
  const store = await ended();
  const chosen = await chooseRecords(store, PARTS, NONE);
  expect(chosen.records).toMatchObject([{ key: KEY, recordIndex: 2, input: { record: { line: 5 } } }]);
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'review-')), 'review');
  await saveReview(store, chosen, { folder, tool: 'csv', how: 'shown', links: undefined });
  const [header, row] = (await readFile(path.join(folder, 'review.csv'), 'utf8')).split('\r\n');
  expect(header).toContain('id,key,record_index,line,record_id,');
  expect(row).toContain(`${taskId(KEY, 2)},${KEY},2,5,P3,`);
  const text = `id,key,reviewed_label\n${taskId(KEY, 2)},a.csv,circle\n`;
  const { text: labels, changed } = await importAnswers({ store, clock }, PARTS, { text, by: 'ann' });
  expect(changed).toBe(1);
  expect(labels.split('\n').map((line) => line.split(',').slice(0, 4).join())).toEqual([
    'key,index,label,reviewed_by',
    ...['a.csv,0,circle,', 'a.csv,2,circle,ann', 'a.csv,3,circle,', ''],
  ]);
});
