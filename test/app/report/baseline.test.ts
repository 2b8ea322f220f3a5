import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { compareRuns as compareEnded } from '../../../src/app/report/compare-runs.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import type { ScoringPlan } from '../../../src/plan/scoring-plan.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const BASELINE = 'shapes/friday/000001';
const clock = () => new Date('2026-11-21T10:05:00.000Z');
const logs = memoryEngineLogs();
const startedAt = '2026-11-21T10:00:00.000Z';
const softmax = (...scores: number[]) => JSON.stringify({ predictions: [scores] });
const circle = softmax(0.8, 0.1, 0.1);
const square = softmax(0.1, 0.7, 0.2);
const star = softmax(0.1, 0.1, 0.8);

/** Runs the baseline and then a run that compares with it. */
async function compareRuns(
  before: readonly RunInput[],
  now: readonly RunInput[],
  { perShard = 2, plan = {} }: { perShard?: number; plan?: Partial<ScoringPlan> } = {},
) {
  const alone = {
    topK: [1],
    images: true,
    slices: [],
    clusters: null,
    baseline: null,
  };
  const own = { ...plan, gate: null, report: alone };
  const first = reconciledRun(before, { perShard: 3, run: BASELINE, plan: own });
  const { store } = first;
  for (const shard of first.shards)
    await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  await writeReport({ run: runKeys(BASELINE), startedAt }, { store, clock, logs, thumbnail });
  const report = { ...alone, baseline: { asked: BASELINE, run: BASELINE } };
  const second = reconciledRun(now, { perShard, store, plan: { report, ...plan } });
  for (const shard of second.shards)
    await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  const answer = await writeReport({ run: runKeys(), startedAt }, { store, clock, logs, thumbnail });
  const run = runKeys();
  return {
    store,
    answer,
    report: Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!)),
    flips: store.text(bucketLayout.flips(run)),
  };
}

test('runs are compared on the inputs that both have, whatever their shards', async () => {
  const { report, flips } = await compareRuns(
    [
      { name: '0-star.png', output: star },
      { name: '1-circle.png', output: circle },
      { name: '2-circle.png', output: square },
      { name: '3-square.png', output: square, etag: 'old' },
      { name: '4-star.png', output: star },
      { name: '5-star.png', error: 'model-error' },
      { name: '6.png', output: star },
      { name: '7-star.png', output: star },
    ],
    [
      { name: '1-circle.png', output: square },
      { name: '2-circle.png', output: circle },
      { name: '3-square.png', output: square, etag: 'new' },
      { name: '4-star.png', output: softmax(0.2, 0.1, 0.7) },
      { name: '5-star.png', output: star },
      { name: '6.png', output: circle },
      { name: '7-star.png', error: 'empty' },
      { name: '9-star.png', output: star },
    ],
  );
  expect(report.comparison).toMatchObject({
    baseline: BASELINE,
    replay: false,
    inputs: { paired: 6, changed: 1, added: 1, missing: 1 },
    answered: 4,
    onlyNow: 1,
    onlyBefore: 1,
    identical: 0,
    sameClass: 1,
    scoreDistance: expect.closeTo(0.1, 12),
    bothRight: 1,
    lost: 1,
    gained: 1,
    bothWrong: 0,
    accuracy: { records: 3, before: 2 / 3, now: 2 / 3, change: 0 },
    pValue: 1,
    exact: true,
  });
  expect(report.comparison?.classes.map(({ name, lost, gained }) => [name, lost, gained])).toEqual([
    ['circle', 1, 1],
    ['star', 0, 0],
  ]);
  expect(report.comparison?.flips.map(({ key, before, now }) => [key.slice(-12), before, now])).toEqual([
    ['1-circle.png', 'circle', 'square'],
    ['2-circle.png', 'square', 'circle'],
    ['monday/6.png', 'star', 'circle'],
  ]);
  expect(flips?.split('\r\n')).toEqual([
    'key,record_index,line,id,change,truth,before,now,score_before,score_now',
    'incoming/shapes/monday/1-circle.png,0,,,lost,circle,circle,square,0.8,0.7',
    'incoming/shapes/monday/2-circle.png,0,,,gained,circle,square,circle,0.7,0.8',
    'incoming/shapes/monday/6.png,0,,,changed,,star,circle,0.8,0.8',
    '',
  ]);
});

test('one shard against many, and many against one, give the same', async () => {
  const names = Array.from({ length: 23 }, (_, at) => `${String(at).padStart(2, '0')}-circle.png`);
  const before = names.map((name, at) => ({ name, output: at % 3 === 0 ? square : circle }));
  const now = names.slice(4, 20).map((name, at) => ({ name, output: at % 4 === 0 ? square : circle }));
  const [one, many] = await Promise.all([
    compareRuns(before, now, { perShard: 100 }),
    compareRuns(before, now, { perShard: 1 }),
  ]);
  expect(one.report.comparison).toEqual(many.report.comparison);
  expect(one.flips).toBe(many.flips);
  expect(one.report.comparison?.inputs).toEqual({ paired: 16, changed: 0, added: 0, missing: 7 });
});

test('of the baseline only the shards that hold the same keys are read', async () => {
  const names = Array.from({ length: 24 }, (_, at) => `${String(at).padStart(2, '0')}-circle.png`);
  const inputs = names.map((name) => ({ name, output: circle }));
  const { store } = await compareRuns(inputs, inputs.slice(6, 9), { perShard: 3 });
  const rows = bucketLayout.rowsFolder(runKeys(BASELINE));
  const read = store.requests.filter(({ operation, key }) => operation === 'GET' && key.startsWith(rows));
  expect(read.map(({ key }) => key)).toEqual([bucketLayout.rows(runKeys(BASELINE), 2)]);
});

test.each([
  ['replay', true],
  [BASELINE, false],
])('a run that asked for %j repeats its baseline: %s', async (asked, replay) => {
  const inputs = [{ name: '1-circle.png', output: circle }];
  const report = {
    topK: [1],
    images: true,
    slices: [],
    clusters: null,
    baseline: { asked, run: BASELINE },
  };
  const compared = await compareRuns(inputs, inputs, { plan: { report } });
  expect(compared.report.comparison).toMatchObject({ replay, identical: 1 });
});

test.each([
  ['the baseline', [{ name: '3-circle.png', etag: 'b', copy: true as const }], [], 0],
  [
    'this run',
    [{ name: '3-circle.png', etag: 'c' }],
    [{ name: '4-circle.png', etag: 'b', copy: true as const }],
    1,
  ],
])('copies in %s are missing in neither run', async (_, before, now, missing) => {
  const rest = [
    { name: '1-circle.png', etag: 'a' },
    { name: '2-circle.png', etag: 'b' },
  ];
  const answered = (inputs: readonly RunInput[]) => inputs.map((input) => ({ ...input, output: circle }));
  const { report, store } = await compareRuns(answered([...rest, ...before]), answered([...rest, ...now]));
  const inputs = { paired: 2, changed: 0, added: 0, missing };
  expect(report.comparison?.inputs).toEqual(inputs);
  const { comparison } = await compareEnded(store, runKeys(), runKeys(BASELINE));
  expect(comparison.inputs).toEqual(inputs);
});

test('nobody knows how many files of many records are copies', async () => {
  const { transform } = reconciledRun([]).plan;
  const plan: Partial<ScoringPlan> = {
    transform: { ...transform, contentType: 'text/csv' },
  };
  const file = { name: 'a-circle.csv', output: '0\n0\n0', etag: 'a' };
  const { report } = await compareRuns([file, { ...file, name: 'b-circle.csv', copy: true }], [file], {
    plan,
  });
  expect(report.comparison?.inputs).toMatchObject({ paired: 1, missing: null });
});

test('an input of another size is another one', async () => {
  const input = { name: '1-circle.png', output: circle };
  const { report } = await compareRuns([input], [{ ...input, size: 2 }]);
  expect(report.comparison?.inputs).toEqual({ paired: 0, changed: 1, added: 0, missing: 0 });
});

test('records are paired by their index, too', async () => {
  const { transform, labels } = reconciledRun([]).plan;
  const plan: Partial<ScoringPlan> = {
    transform: { ...transform, contentType: 'text/csv' },
    labels: { ...labels, truth: null },
  };
  const lines = (...found: number[]) => found.join('\n');
  const { report, flips } = await compareRuns(
    [
      { name: 'a.csv', output: lines(0, 1, 2, 2) },
      { name: 'b.csv', output: lines(0) },
    ],
    [
      { name: 'a.csv', output: lines(0, 2, 2) },
      { name: 'b.csv', output: lines(0, 1, 2) },
    ],
    { plan },
  );
  expect(report.comparison).toMatchObject({
    answered: 4,
    sameClass: 3,
    identical: 3,
    onlyNow: 2,
    onlyBefore: 1,
    accuracy: null,
  });
  expect(flips).toContain('incoming/shapes/monday/a.csv,1,,,changed,,square,star,,\r\n');
});

test('the gate judges the loss, and says so in the report', async () => {
  const inputs = Array.from({ length: 12 }, (_, at) => ({ name: `${at + 10}-circle.png`, output: circle }));
  const { answer, report } = await compareRuns(
    inputs,
    inputs.map((input, at) => (at < 8 ? { ...input, output: star } : input)),
    { plan: { gate: { maxAccuracyDrop: 0.1, minInputs: 1, minLabeled: null, confidence: null } } },
  );
  expect(answer.gate).toBe('failed');
  expect(report.gate.explanation).toBe(
    'The gate failed: accuracy changed by −66.7 points against shapes/friday/000001 on 12 inputs, ' +
      'more than the loss of 10 points that is allowed.',
  );
});

test('a baseline without slices is compared with a run that has them, and its gate judges both', async () => {
  const site = { from: 'folder', name: 'site', level: 1 } as const;
  const baseline = { asked: BASELINE, run: BASELINE };
  const slices = { 'site=B': { minAccuracy: 1, minInputs: 1 } };
  const { report } = await compareRuns(
    [
      { name: 'A/1-circle.png', output: circle },
      { name: 'B/2-circle.png', output: circle },
    ],
    [
      { name: 'A/1-circle.png', output: circle },
      { name: 'B/2-circle.png', output: square },
    ],
    {
      plan: {
        report: { topK: [1], images: true, slices: [site], clusters: null, baseline },
        gate: { maxAccuracyDrop: 0.1, slices, minInputs: 1, minLabeled: null, confidence: null },
      },
    },
  );
  expect(report.comparison).toMatchObject({ answered: 2, lost: 1, gained: 0 });
  expect(report.slices?.weakest[0]).toMatchObject({ value: 'B', labeled: 1, correct: 0 });
  expect(report.gate.verdict).toBe('failed');
  expect(report.gate.explanation).toBe(
    `The gate failed: accuracy changed by −50.0 points against ${BASELINE} on 2 inputs, more than the loss of 10 ` +
      'points that is allowed; accuracy is too low in site=B (0 of 1 right, 0%, minimum 100%).',
  );
});
