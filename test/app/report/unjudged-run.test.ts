import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { toNotice } from '../../../src/notice/notice.ts';
import { Report } from '../../../src/report/report.ts';
import { readRows } from '../../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { planWith, reconciledRun, RUN, runKeys } from '../../support/report-run.ts';

const clock = () => new Date('2026-11-21T10:05:00.000Z');
const startedAt = '2026-11-21T10:00:00.000Z';
const LABELS = { ...planWith().labels, task: 'none' as const, classes: [], truth: null };
const GATE = {
  maxErrorRate: 0.25,
  minInputs: 1,
  minLabeled: null,
  confidence: null,
  decide: 'all',
} as const;

/** A run of answers that nobody judges, of 30 inputs, the last of which has no answer. */
async function unjudged(answerOf: (at: number) => string) {
  const inputs = Array.from({ length: 30 }, (_, at) => ({
    name: `${at}-star.png`,
    ...(at < 29 ? { output: answerOf(at) } : { error: 'model-error' }),
  }));
  const { store, shards, run } = reconciledRun(inputs, {
    perShard: 10,
    plan: { labels: LABELS, gate: GATE, report: { ...planWith().report, topK: [1] } },
  });
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs: memoryEngineLogs(), thumbnail });
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
  const bytes = (await store.readBytes(bucketLayout.rows(run, 0)))!;
  const rows = (await Array.fromAsync(readRows(bytes))).flat();
  return { report, rows, text: (key: 'summary' | 'reportHtml') => store.text(bucketLayout[key](run))! };
}

test('any answer is counted, kept and shown, and none is judged', async () => {
  const { report, rows, text } = await unjudged((at) => `{ "embedding": [${at}, 0.5] }`);
  expect(report).toMatchObject({
    status: 'completed-with-errors',
    task: 'none',
    total: 30,
    records: 29,
    errors: 1,
    accuracy: null,
    quality: null,
    absent: [],
    classes: [],
    gate: { verdict: 'passed', isSet: true },
  });
  expect(report.answers).toHaveLength(10);
  expect(new Set(report.answers.map(({ key }) => key)).size).toBe(10);
  expect(rows[3]).toMatchObject({
    prediction: '{"embedding":[3,0.5]}',
    truth: null,
    correct: null,
    score: null,
  });
  const summary = text('summary');
  expect(summary).toContain('Answers: not judged ("labels" is null)');
  expect(summary).toContain('Some answers:');
  const page = text('reportHtml');
  expect(page).toContain('records answered; nobody judges the answers.');
  expect(page).toContain('10 of 29, drawn by lot.');
  expect(page).toContain('passed, with errors, answers not judged');
  const { subject, body } = toNotice({ run: RUN, bucket: 'bucket', status: report.status, report });
  expect(subject).not.toContain('accuracy');
  expect(body).toContain('Answers    not judged ("labels" is null)');
});

test('an answer is a text on the page, whatever is in it', async () => {
  const { text } = await unjudged(() => '"<script>alert(1)</script>[x](https://example.org) @all"');
  expect(text('reportHtml')).not.toContain('<script>alert');
  expect(text('reportHtml')).toContain('&lt;script&gt;alert');
  expect(text('summary')).not.toContain('[x](https');
});

test('a long answer is cut on the page', async () => {
  const { report, rows } = await unjudged((at) => JSON.stringify(`${at} ${'word '.repeat(2_000)}`));
  expect(Math.max(...report.answers.map(({ answer }) => answer.length))).toBe(2_001);
  expect(rows[0]?.prediction).toHaveLength(10_004);
});
