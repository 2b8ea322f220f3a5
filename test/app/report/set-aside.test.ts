import { describe, expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import type { ScoringPlan } from '../../../src/plan/scoring-plan.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const TRAINING = runKeys('training/shapes/tuesday/000001');
const clock = () => new Date('2026-11-21T10:05:00.000Z');
const logs = memoryEngineLogs();
const startedAt = '2026-11-21T10:00:00.000Z';
const right = JSON.stringify({ predictions: [[0.8, 0.1, 0.1]] });
const wrong = JSON.stringify({ predictions: [[0.1, 0.8, 0.1]] });
const GATE = { minAccuracy: 0.8, minInputs: 30, minLabeled: null, confidence: null };

/** So many inputs, of which the first are right. */
function inputs(count: number, correct: number, etag: (at: number) => string): RunInput[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `${String(at).padStart(3, '0')}-circle.png`,
    output: at < correct ? right : wrong,
    etag: etag(at),
  }));
}

/** The report of a run over the inputs, of whose contents some are set aside. */
async function judge(
  given: readonly RunInput[],
  setAside: readonly object[],
  plan: Partial<ScoringPlan> = {},
  incumbents: readonly object[] = [],
) {
  const asked = { setAside: bucketLayout.setAside(TRAINING), gate: GATE, ...plan };
  const { store, shards } = reconciledRun(given, { perShard: 50, plan: asked });
  store.put(bucketLayout.setAside(TRAINING), JSON.stringify({ schema: 1, contents: setAside, incumbents }));
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  return Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys()))!));
}
const trainedOn = (count: number) => Array.from({ length: count }, (_, at) => ({ etag: `e${at}`, size: 1 }));

describe('inputs that were trained on', () => {
  test('do not carry a gate that the others do not, though the report has them', async () => {
    // 100 are right by heart, 10 of the other 40 by luck.
    const report = await judge(
      inputs(140, 110, (at) => `e${at}`),
      trainedOn(100),
    );
    expect(report).toMatchObject({ total: 140, accuracy: 110 / 140 });
    expect(report.gate).toMatchObject({ verdict: 'failed' });
    expect(report.gate.explanation).toBe(
      'The gate failed: 10 of 40 inputs are right (25%), below the minimum of 80%. 100 of 140 inputs were trained on ' +
        'or are copies of others, and do not count (with them accuracy is 78.57%).',
    );
  });

  test.each([119, 120])('leave no verdict where they are %d of 120', async (count) => {
    const report = await judge(
      inputs(120, 120, (at) => `e${at}`),
      trainedOn(count),
    );
    expect(report.gate.verdict).toBe('none');
    expect(report.gate.explanation).toContain(`${count} of 120 inputs were trained on`);
  });

  test('change nothing where there are none', async () => {
    const report = await judge(
      inputs(40, 36, (at) => `e${at}`),
      [],
    );
    expect(report.gate).toMatchObject({
      verdict: 'passed',
      explanation: 'The gate passed: 36 of 40 inputs are right (90%); the minimum is 80%.',
    });
  });

  test.each<[string, object]>([
    ['by the model', { contents: trainedOn(20) }],
    ['by the model compared with', { contents: [], incumbents: trainedOn(20) }],
    ['by either', { contents: trainedOn(20), incumbents: trainedOn(10) }],
  ])('%s are in no comparison', async (_, setAside) => {
    const BASELINE = 'shapes/friday/000001';
    const first = reconciledRun(
      inputs(60, 0, (at) => `e${at}`),
      { perShard: 50, run: BASELINE, plan: { gate: null } },
    );
    const { store } = first;
    for (const shard of first.shards)
      await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
    const report = {
      topK: [1],
      images: true,
      slices: [],
      clusters: null,
      baseline: { asked: 'candidate', run: BASELINE },
    };
    const gate = { maxAccuracyDrop: 0, minInputs: 30, minLabeled: null, confidence: null };
    const plan = { setAside: bucketLayout.setAside(TRAINING), gate, report };
    const second = reconciledRun(
      inputs(60, 60, (at) => `e${at}`),
      { perShard: 50, store, plan },
    );
    store.put(bucketLayout.setAside(TRAINING), JSON.stringify({ schema: 1, incumbents: [], ...setAside }));
    for (const shard of second.shards)
      await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
    await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
    const { comparison } = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys()))!));
    expect(comparison).toMatchObject({ inputs: { paired: 40 }, answered: 40 });
  });
});

test('what only the model compared with was trained on counts for the accuracy of the new one', async () => {
  const given = inputs(60, 60, (at) => `e${at}`);
  const report = await judge(given, [], {}, trainedOn(59));
  expect(report.gate).toMatchObject({ verdict: 'passed' });
});

describe('what the gate counts', () => {
  const act = { minAccuracy: 0.9, minInputs: 30, minLabeled: 0.9, confidence: 0.95 };
  const all = inputs(100, 100, (at) => `e${at}`);
  const judged = (given: readonly RunInput[]) => judge(given, [], { setAside: null, gate: act });

  test('is each labeled input, answered or not', async () => {
    const report = await judged(
      all.map((each, at) => (at < 38 ? { name: each.name, error: 'model-error' } : each)),
    );
    expect(report).toMatchObject({ accuracy: 1, gate: { verdict: 'failed' } });
    expect(report.gate.explanation).toContain('62 of 100 inputs are right');
    expect(report.ledger).toMatchObject({ asked: 100, labeled: 100, answered: 62, right: 62 });
  });

  test('is one of each content', async () => {
    const report = await judged(all.map((each, at) => (at > 0 ? { ...each, copy: true } : each)));
    expect(report.gate.verdict).toBe('none');
    expect(report.ledger).toMatchObject({ asked: 100, distinct: 1, copies: 99 });
  });

  test('is hardly anything where hardly anything has a label', async () => {
    const report = await judged(all.map((each, at) => (at >= 59 ? { ...each, name: `${at}.png` } : each)));
    expect(report.gate).toMatchObject({
      verdict: 'none',
      explanation: expect.stringContaining('59 of 100 inputs have a label, and gate.minLabeled asks for 90%'),
    });
  });
});
