import { expect, test } from 'vitest';
import { foldPredictions } from '../../src/app/fold-predictions.ts';
import { writeReport } from '../../src/app/write-report.ts';
import { bucketLayout } from '../../src/drop/bucket-layout.ts';
import { Report } from '../../src/report/report.ts';
import { reconciledRun, RUN } from '../support/report-run.ts';

const clock = () => new Date('2026-11-21T10:05:00.000Z');
const startedAt = '2026-11-21T10:00:00.000Z';
const softmax = (...scores: number[]) => JSON.stringify({ predictions: [scores] });

test('a run of two shards becomes one report', async () => {
  const { store, shards, run } = reconciledRun(
    [
      { name: '1-circle.png', output: softmax(0.9, 0.05, 0.05) },
      { name: '2-circle.png', output: softmax(0.2, 0.7, 0.1) },
      { name: '3-square.png', output: softmax(0.1, 0.8, 0.1) },
      { name: '4-star.png', error: 'model-error' },
      { name: '5-star.png', output: 'not json' },
    ],
    { perShard: 2 },
  );
  for (const shard of shards) await foldPredictions(shard, { store });

  const answer = await writeReport({ run: RUN, startedAt }, { store, clock });

  expect(answer).toEqual({
    status: 'completed-with-errors',
    gate: 'none',
    report: bucketLayout.reportJson(run),
  });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report).toMatchObject({
    total: 5,
    records: 3,
    correct: 2,
    accuracy: 2 / 3,
    errors: 2,
    seconds: 300,
    costUsd: 0,
  });
  expect(report.confusion).toEqual([
    [0, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
  ]);
  expect(store.text(bucketLayout.errors(run))).toBe(
    'key,record_index,reason,detail\r\n' +
      'incoming/shapes/monday/4-star.png,,model-error,told by the test\r\n' +
      'incoming/shapes/monday/5-star.png,,unreadable-output,"the output is not JSON at character 0, near ""not json"""\r\n',
  );
});

test('a refused run tells its problems', async () => {
  const { store, run } = reconciledRun([]);
  store.put(
    `${bucketLayout.run(run)}problems.json`,
    JSON.stringify({
      schema: 1,
      problems: [{ file: 'pipeline.json', field: 'labels', value: 3, message: 'no' }],
    }),
  );
  const failure = {
    error: 'PlanRefused',
    cause: JSON.stringify({ errorType: 'PlanRefused', errorMessage: 'no', trace: [] }),
  };
  const answer = await writeReport({ run: RUN, startedAt, failure }, { store, clock });
  expect(answer.status).toBe('refused');
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  expect(report.failure?.cause).toBe('no');
  expect(report.problems).toEqual([{ file: 'pipeline.json', field: 'labels', value: '3', message: 'no' }]);
});
