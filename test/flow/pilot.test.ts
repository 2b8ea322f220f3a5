import { expect, it } from 'vitest';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { Plan } from '../../src/plan/plan.ts';
import { readRows } from '../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { sigmoidModel } from '../support/sigmoid-model.ts';

let laptop: Laptop;
onSharedLaptop(async (shared) => {
  laptop = shared;
  await giveBinary('binary', (config) => (config.limits = { pilot: 2 }));
  await giveBinary('confident', (config) => (config.labels.threshold = 0.9));
  await laptop.givePipeline('hatted', (config) => {
    config.labels.classes.push('hat');
    config.limits = { pilot: 2 };
    config.gate = null;
  });
  const lines = Object.fromEntries(RECORDS.map((records, index) => [`${index}.jsonl`, toLines(records)]));
  await laptop.upload('binary', 'd', lines);
  await laptop.upload('confident', 'd', { 'all.jsonl': toLines(RECORDS.flat()) });
  await laptop.upload('hatted', 'd', await laptop.images(6));
});

/** Logits with their truths; those beyond ±17 saturate a sigmoid in single precision. */
const RECORDS: readonly (readonly (readonly [number, string])[])[] = [
  [[2, 'dog'], [-1, 'cat']],
  [[0.5, 'cat'], [-3, 'cat']],
  [[40, 'dog'], [-0.25, 'dog']],
  [[1.5, 'dog'], [3, 'dog']],
  [[-90, 'cat'], [0.75, 'dog']],
]; // prettier-ignore

function toLines(records: readonly (readonly [number, string])[]): string {
  return records.map(([x, label]) => `${JSON.stringify({ x: [x], label })}\n`).join('');
}

/** TensorFlow Serving's answers of one sigmoid to lines that have their label. */
async function giveBinary(name: string, change: (config: any) => void): Promise<void> {
  await laptop.givePipeline(name, (config) => {
    config.transform = {
      ...config.transform,
      contentType: 'application/jsonlines',
      accept: 'application/jsonlines',
      splitType: 'Line',
      assembleWith: 'Line',
      inputFilter: "$['x']",
    };
    config.labels = { classes: ['cat', 'dog'], truth: { from: 'record', path: '$.label' } };
    config.report = { topK: [1] };
    config.gate = null;
    change(config);
  });
  await laptop.application.store.write(bucketLayout.pipelineModel(name), await sigmoidModel());
}

const planOf = async (run: string): Promise<Plan> =>
  Plan.parse(JSON.parse((await laptop.application.store.readText(bucketLayout.plan(toRun(run)))) ?? '{}'));

it('one sigmoid is a classification, and a pilot counts its own predictions', async () => {
  const run = 'binary/d/000001';
  const { report, jobs, manifest } = await laptop.outcome(run);
  const plan = await planOf(run);

  expect(plan.labels.single).toBe('score');
  expect(plan.notes.join(' ')).toContain('a pilot of 2 inputs');
  expect(jobs.map(({ objects, status }) => [objects, status])).toEqual([
    [2, 'Completed'],
    [8, 'Completed'],
  ]);
  expect(manifest).toHaveLength(5);
  expect(report).toMatchObject({ status: 'completed', total: 10, records: 10, errors: 0 });
  expect(report.quality).toMatchObject({ labeled: 10, correct: 8 });
  const probabilities = RECORDS.flat().map(([x]) => Math.fround(1 / (1 + Math.exp(-x))));
  const losses = RECORDS.flat().map(([, label], index) => {
    const p = probabilities[index]!;
    return -Math.log(Math.min(1 - Number.EPSILON, Math.max(Number.EPSILON, label === 'dog' ? p : 1 - p)));
  });
  expect(report.quality?.logLoss).toBeCloseTo(losses.reduce((sum, loss) => sum + loss) / 10, 6);
  const parquet = await laptop.application.store.readBytes(bucketLayout.rows(toRun(run), 0));
  const rows = (await Array.fromAsync(readRows(parquet!))).flat();
  expect(rows.map(({ key, record_index }) => `${key.split('/').at(-1)} ${record_index}`)).toEqual(
    RECORDS.flatMap((_, index) => [0, 1].map((at) => `${index}.jsonl ${at}`)),
  );
  for (const [index, row] of rows.entries()) {
    const p = probabilities[index]!;
    expect(row.prediction).toBe(p > 0.5 ? 'dog' : 'cat');
    expect(row.score).toBeCloseTo(Math.max(p, 1 - p), 6);
  }
});

it('labels.threshold decides', async () => {
  const { report } = await laptop.outcome('confident/d/000001');

  // Above 0.9 are the sigmoids of 40 and of 3.
  expect(report.quality).toMatchObject({ labeled: 10, correct: 6 });
});

it('a pilot that finds another number of classes ends the run before the rest is sent', async () => {
  const { report, message, jobs } = await laptop.outcome('hatted/d/000001');

  expect(report).toMatchObject({ status: 'failed', failure: { error: 'PilotFailed' } });
  expect(report.failure?.cause).toMatch(/pipeline\.json: labels\.classes .*expect 11 scores.* has 10/);
  expect(report.failure?.cause).toContain('The other 4 inputs were not sent (limits.pilot)');
  expect(message.body).toContain('only a few inputs have been paid for');
  expect(jobs.map(({ objects }) => objects)).toEqual([2]);
});
