import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { writeRowsAsCsv } from '../../../src/cli/files/write-rows-as-csv.ts';
import { PredictionRows } from '../../../src/report/table/prediction-rows.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

test('a negative score is a number, and a class that looks like one stays a text', async () => {
  const rows = new PredictionRows();
  const row = { recordIndex: 0, correct: false, topK: null, error: null };
  rows.add({ ...row, key: 'a.csv', truth: '-1', prediction: '1', score: -0.0192 });
  rows.add({ ...row, key: '=b.csv', truth: null, prediction: null, score: null, correct: null });
  const store = memoryObjectStore();
  const run = aRun('birds/monday/000001');
  store.put(`${bucketLayout.rowsFolder(run)}00000.parquet`, rows.finish());
  const out = new PassThrough();
  await writeRowsAsCsv(store, run, out);
  expect(String(out.read())).toBe(
    [
      'key,record_index,line,id,truth,prediction,score,top_k,correct,error',
      `a.csv,0,,,"'-1",1,-0.0192,,false,`,
      `"'=b.csv",0,,,,,,,,`,
      '',
    ].join('\r\n'),
  );
});
