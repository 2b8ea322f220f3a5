import { beforeEach, describe, expect, test } from 'vitest';
import { notify } from '../../../src/app/report/notify.ts';
import { promoteModel } from '../../../src/app/training/promote-model.ts';
import { registerModel } from '../../../src/app/training/register-model.ts';
import { writeTrainingReport } from '../../../src/app/training/write-training-report.ts';
import { TrainingReport } from '../../../src/report/training/training-report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { TrainingPlan } from '../../../src/training/training-plan.ts';
import { NOW } from '../../support/drop-fixture.ts';
import { withoutCommonText } from '../../support/golden-report.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memoryTopic } from '../../support/memory-topic.ts';
import {
  endJudgingRun,
  JUDGED,
  trainedDrop,
  TRAINING,
  TRAINING_PARTS,
  trainingMetrics,
  trainingPlan,
} from '../../support/training-fixture.ts';

const PLAIN = { transform: { contentType: 'text/csv' }, gate: { minAccuracy: 0.5 } };
const STARTED = '2026-03-01T11:48:00.000Z';
const clock = () => NOW;
const golden = (name: string) => `../../golden/training/${name}`;

let topic = memoryTopic();
beforeEach(() => (topic = memoryTopic()));

const flip = (key: string, before: string, now: string) => ({
  key: `incoming/shapes/monday/${key}`,
  recordIndex: 0,
  truth: 'circle',
  before,
  now,
  scoreBefore: 0.8,
  scoreNow: 0.6,
});
const change = (before: number, now: number) => ({
  records: 200,
  before,
  now,
  change: now - before,
  interval: { low: -0.1, high: 0.1 },
});
const comparison = (before: number, now: number) => ({
  baseline: JUDGED,
  replay: false,
  inputs: { paired: 200, changed: 0, added: 0, missing: 0 },
  answered: 200,
  onlyNow: 0,
  onlyBefore: 0,
  identical: 100,
  sameClass: 180,
  relabeled: 0,
  scoreDistance: 0.2,
  bothRight: 160,
  lost: 4,
  gained: 12,
  bothWrong: 24,
  accuracy: change(before, now),
  pValue: 0.0768,
  exact: true,
  classes: [],
  flips: [flip('7.png', 'circle', 'square'), flip('9.png', 'square', 'circle')],
});

const NO_CLASS = {
  listed: true,
  predicted: 0,
  predictedUnlabeled: 0,
  precision: null,
  f1: null,
  rocAuc: null,
  averagePrecision: null,
};

/** A training that has come to its report. */
async function promoted({
  promote = 'ask',
  passed = true,
  changed = {},
}: {
  promote?: TrainingPlan['after']['promote'];
  passed?: boolean;
  /** Inputs of the evaluation without a prediction, by reason. */
  changed?: Readonly<Record<string, number>>;
} = {}) {
  const store = await trainedDrop({ pipeline: PLAIN });
  const after = { ...trainingPlan().after, promote };
  const notes = ['the image has no Horovod, and the source does not ask for it'];
  store.put(bucketLayout.plan(TRAINING_PARTS), JSON.stringify({ ...trainingPlan(), after, notes }));
  store.put(bucketLayout.metrics(TRAINING_PARTS), JSON.stringify(trainingMetrics()));
  await registerModel({ run: TRAINING_PARTS }, { store });
  const evaluation = {
    schema: 1,
    incumbentRun: { run: JUDGED, at: NOW.toISOString(), isOwn: false },
    candidateRun: { run: `${JUDGED}r2`, at: NOW.toISOString(), isOwn: true },
    trainedOn: { count: 1, first: ['incoming/shapes/monday/3.png'], compared: 200 },
    nearDuplicates: {
      count: 1,
      first: [{ key: 'incoming/shapes/monday/8.png', like: 'training/shapes/tuesday/a.jpg' }],
      judged: 190,
      trained: 1_234,
      isUnclear: false,
    },
    sharedGroups: null,
    equalRows: null,
    incumbentTrainedOn: null,
  };
  store.put(bucketLayout.evaluation(TRAINING_PARTS), JSON.stringify(evaluation));
  const [before, now] = passed ? [0.82, 0.86] : [0.86, 0.82];
  endJudgingRun(store, `${JUDGED}r2`, {
    gate: passed ? 'passed' : 'failed',
    explanation: passed
      ? 'The gate passed: accuracy 86% is at least the minimum of 50%.'
      : 'The gate failed: accuracy fell by 4%.',
    report: {
      total: 200,
      accuracy: now,
      comparison: comparison(before, now),
      errorsByReason: changed,
      classes: [
        {
          name: 'circle',
          support: 60,
          correct: 57,
          recall: 0.95,
          recallInterval: { low: 0.863, high: 0.983 },
        },
        {
          name: 'square',
          support: 40,
          correct: 25,
          recall: 0.625,
          recallInterval: { low: 0.47, high: 0.758 },
        },
        { name: 'star', support: 0, correct: 0, recall: null, recallInterval: null },
      ].map((each) => ({ ...NO_CLASS, ...each })),
    },
  });
  await promoteModel({ run: TRAINING_PARTS }, { store, clock });
  return store;
}

const write = (store: MemoryObjectStore, failure?: { error: string; cause: string }) =>
  writeTrainingReport(
    { run: TRAINING_PARTS, startedAt: STARTED, ...(failure && { failure }) },
    { store, clock },
  );
const reportOf = (store: MemoryObjectStore) =>
  TrainingReport.parse(JSON.parse(store.text(bucketLayout.reportJson(TRAINING_PARTS))!));

/** Compares page, summary and message with the golden files. */
async function looksAsItDid(store: MemoryObjectStore, name: string, status: string) {
  await notify({ run: TRAINING_PARTS, status }, { store, topic, clock });
  const { subject, body } = topic.messages[0]!;
  await expect(
    withoutCommonText(store.text(bucketLayout.reportHtml(TRAINING_PARTS)) ?? ''),
  ).toMatchFileSnapshot(golden(`${name}.html`));
  await expect(store.text(bucketLayout.summary(TRAINING_PARTS))).toMatchFileSnapshot(golden(`${name}.md`));
  await expect(`${subject}\n\n${body}`).toMatchFileSnapshot(golden(`${name}.txt`));
}

test('a training that asks for a decision tells all that it needs', async () => {
  const store = await promoted();
  expect(await write(store)).toEqual({ status: 'completed' });
  expect(reportOf(store)).toMatchObject({
    costUsd: 0.05,
    seconds: 720,
    phases: [{ status: 'Starting', seconds: 60 }, { seconds: 20 }, { seconds: 340 }, { seconds: 30 }],
    metrics: [
      { name: 'loss', final: 0.31, hosts: [{ host: 'algo-1', count: 3, values: [1.9, 0.72, 0.31] }, {}] },
      { name: 'accuracy' },
    ],
    logEnd: [],
    evaluation: { run: `${JUDGED}r2`, accuracy: 0.86, against: { run: JUDGED, lost: 4, gained: 12 } },
    promotion: { promotion: 'asked' },
    lineage: { evaluationRun: `${JUDGED}r2`, deploy: 'never', data: { objects: 2 } },
  });
  await looksAsItDid(store, 'asked', 'completed');
  expect(topic.messages[0]!.body).toContain(`Promote    inferdrop promote ${TRAINING}`);
  expect(topic.messages[0]!.attributes).toMatchObject({ pipeline: 'shapes', promotion: 'asked' });
  expect(JSON.parse(store.text(store.keys('index/training/shapes/')[0]!)!)).toMatchObject({
    run: TRAINING,
    status: 'completed',
    total: 2,
    accuracy: 0.86,
    gate: 'passed',
  });
});

test('what the figures cannot show is a note: a metric that ends in NaN, inputs that were changed, files that came later', async () => {
  const store = await promoted({ promote: 'when-gate-passes', changed: { superseded: 3, deleted: 1 } });
  const { series, ...metrics } = trainingMetrics();
  const diverged = series.map((curve) =>
    curve.metric === 'loss' ? { ...curve, points: [...curve.points, { at: STARTED, value: null }] } : curve,
  );
  store.put(bucketLayout.metrics(TRAINING_PARTS), JSON.stringify({ ...metrics, series: diverged }));
  const registered = JSON.parse(store.text(bucketLayout.registered(TRAINING_PARTS))!);
  const changedInputs = { superseded: 3, deleted: 4, arrived: 2 };
  store.put(bucketLayout.registered(TRAINING_PARTS), JSON.stringify({ ...registered, changedInputs }));
  await write(store);
  const { notes, promotion } = reportOf(store);
  expect(notes).toContainEqual(
    expect.stringMatching(/^3 of the files were overwritten since they were frozen/),
  );
  expect(notes).toContain('4 of the files were deleted since they were frozen');
  expect(notes).toContainEqual(
    expect.stringMatching(/^2 files came into the drop after it had been frozen: the job may have trained/),
  );
  expect(promotion).toMatchObject({ promotion: 'asked' });
  expect(notes).toContainEqual(
    expect.stringMatching(
      /^Of the 200 inputs of the evaluation 3 were overwritten and 1 deleted .* a rerun of the training/,
    ),
  );
  expect(notes).toContainEqual(
    expect.stringContaining('the last value of the metric loss in the log of algo-1, algo-2 is not a number'),
  );
});

test.each([
  [
    true,
    "Tables that were drawn apart don't share so many (exact test, 95%), so these rows count as trained on",
  ],
  [false, 'Tables that were drawn apart may share as many (exact test, 95%), so these rows count'],
])('rows that equal one of the training are told, copied (%s) or not', async (areCopies, conclusion) => {
  const store = await promoted();
  const key = bucketLayout.evaluation(TRAINING_PARTS);
  const equalRows = {
    areCopies,
    equal: 12,
    repeated: 3,
    trained: 4_000,
    unread: { count: 4, first: ['b.csv is a PNG image'] },
  };
  store.put(key, JSON.stringify({ ...JSON.parse(store.text(key)!), equalRows }));
  await write(store);
  const { notes } = reportOf(store);
  expect(notes).toContain(
    `12 rows of the evaluation equal one of the training's 4,000, and 3 equal another of the evaluation. ${conclusion}`,
  );
  expect(notes).toContain(
    "4 files of training or evaluation were not read to the end as the pipeline's tables are, so which rows both have " +
      'is not wholly known: b.csv is a PNG image; …',
  );
});

test('a job that a limit has stopped says so, and the jobs stand in the order of their attempts', async () => {
  const store = await promoted();
  const first = JSON.parse(store.text(bucketLayout.job(TRAINING_PARTS, 1))!);
  for (const attempt of [10, 2]) {
    const record = { ...first, attempt, jobName: `job-${attempt}`, stopReason: `reason ${attempt}` };
    store.put(bucketLayout.job(TRAINING_PARTS, attempt), JSON.stringify(record));
  }
  await write(store);
  const { jobs, notes } = reportOf(store);
  expect(jobs.map(({ name }) => name)).toEqual([first.jobName, 'job-2', 'job-10']);
  expect(notes).toContain('the job was stopped: reason 10. The model is what the script had saved by then');
});

test.each([
  ['OSError: [Errno 28] No space left on device', true],
  ['ValueError: no labels', false],
])(
  'a script that failed with %s has a note on disks: %s, and none on metrics that it had no time to print',
  async (text, isFull) => {
    const store = await trainedDrop({
      job: { status: 'Failed', secondaryStatus: 'Failed', failureReason: `AlgorithmError: ${text}` },
    });
    store.put(bucketLayout.metrics(TRAINING_PARTS), JSON.stringify({ ...trainingMetrics(), series: [] }));
    await write(store, { error: 'TrainingFailed', cause: text });
    const full =
      'the disk of a host was full: raise training.instances.volumeSizeInGB; on a laptop, free space on the disk of this machine';
    expect(reportOf(store).notes).toEqual(isFull ? [full] : []);
  },
);

test.each(['when-gate-passes', 'never'] as const)(
  'a model that is promoted is deployed next, if pipeline.json asks for it: %s',
  async (deploy) => {
    const store = await promoted({ promote: 'when-gate-passes' });
    const key = bucketLayout.pipelineConfig('shapes');
    store.put(key, JSON.stringify({ ...JSON.parse(store.text(key)!), endpoint: { deploy } }));
    await write(store);
    expect(reportOf(store)).toMatchObject({ promotion: { promotion: 'promoted' }, lineage: { deploy } });
    const asked = await promoted();
    asked.put(key, store.text(key));
    await write(asked);
    expect(reportOf(asked)).toMatchObject({
      promotion: { promotion: 'asked' },
      lineage: { deploy: 'never' },
    });
  },
);

test('values of problems that are no text are written as JSON', async () => {
  const store = await trainedDrop({ archive: null });
  const problem = { file: 'pipeline.json', field: 'training', message: 'is wrong' };
  const problems = ['text', 7, { a: [1] }].map((value) => ({ ...problem, value }));
  store.put(bucketLayout.problems(TRAINING_PARTS), JSON.stringify({ schema: 1, problems }));
  await write(store, { error: 'PlanRefused', cause: '' });
  expect(reportOf(store).problems.map(({ value }) => value)).toEqual(['text', '7', '{"a":[1]}']);
  expect(reportOf(store).failure!.cause.split('\n')).toHaveLength(3);
});

test('a metric may have the name of what every object has', async () => {
  const store = await promoted();
  const metrics = [{ name: 'constructor', regex: 'a(b)' }];
  store.put(bucketLayout.plan(TRAINING_PARTS), JSON.stringify({ ...trainingPlan(), metrics }));
  await write(store);
  expect(reportOf(store).metrics).toEqual([{ name: 'constructor', final: null, hosts: [] }]);
});

test.each([
  ['of its own', true, 0.01, 0.02, 0.03],
  ['that was there before', false, 0.01, 0.02, 0.01],
  ['of its own, of an unknown cost', true, 0.01, null, null],
  ['of its own, where the cost of the evaluation is not known', true, null, 0.02, null],
])('an evaluation against a run %s costs what its runs do', async (_, isOwn, costUsd, before, sum) => {
  const store = await promoted();
  const key = bucketLayout.evaluation(TRAINING_PARTS);
  const evaluation = JSON.parse(store.text(key)!);
  const incumbentRun = { ...evaluation.incumbentRun, isOwn };
  store.put(key, JSON.stringify({ ...evaluation, incumbentRun }));
  const report = { comparison: comparison(0.82, 0.86) };
  endJudgingRun(store, `${JUDGED}r2`, { gate: 'passed', report: { ...report, costUsd } });
  endJudgingRun(store, JUDGED, { report: { comparison: null, costUsd: before } });
  await write(store);
  expect(reportOf(store).evaluation!.costUsd).toBe(sum);
});

test('a model that is worse is refused, with the inputs that became wrong', async () => {
  const store = await promoted({ promote: 'when-gate-passes', passed: false });
  await write(store);
  await looksAsItDid(store, 'refused-model', 'completed');
  expect(store.text(bucketLayout.reportHtml(TRAINING_PARTS))).toContain('7.png');
});

test('a training that failed shows the end of its log', async () => {
  const job = { status: 'Failed', failureReason: 'AlgorithmError: ExitCode 1', artifact: undefined } as const;
  const store = await trainedDrop({ pipeline: PLAIN, archive: null, job });
  const { series, ...metrics } = trainingMetrics();
  const broken = series.map((one) => ({
    ...one,
    points: one.points.with(1, { ...one.points[1]!, value: null }),
  }));
  store.put(bucketLayout.metrics(TRAINING_PARTS), JSON.stringify({ ...metrics, series: broken }));
  const cause =
    '{"errorMessage":"AlgorithmError: ExitCode 1\\nErrorMessage \\"ValueError: <b>no & data</b>\\""}';
  expect(await write(store, { error: 'TrainingFailed', cause })).toEqual({ status: 'failed' });
  await looksAsItDid(store, 'failed', 'failed');
});

test.each([
  ['ExecuteUserScriptError:\nExitCode -9\nErrorMessage ""\nCommand "python", exit code: 1', true],
  ['AlgorithmError: Exit Code: 137', true],
  ['AlgorithmError: ExitCode 1, after 137 steps', false],
])('a script that was killed by signal 9 lacked memory, most often: %s', async (failureReason, isNoted) => {
  const store = await trainedDrop({ archive: null, job: { status: 'Failed', failureReason } });
  await write(store, { error: 'TrainingFailed', cause: failureReason });
  expect(reportOf(store).notes.some((note) => note.includes('killed by signal 9'))).toBe(isNoted);
});

test('a report that comes after that of the failure leaves it as it is', async () => {
  const store = await promoted();
  const failure = { error: 'Operator', cause: 'by mistake' };
  expect(await write(store, failure)).toEqual({ status: 'failed' });
  expect(await write(store)).toEqual({ status: 'failed' });
  expect(reportOf(store)).toMatchObject({ status: 'failed', failure: { error: 'Operator' } });
  expect(store.text(bucketLayout.reportHtml(TRAINING_PARTS))).toContain('by mistake');
  expect(store.text(store.keys('index/training/shapes/')[0]!)).toContain('"failed"');
});

describe('without a job', () => {
  test('a refused training lists its problems', async () => {
    const store = await trainedDrop({ pipeline: PLAIN, archive: null });
    store.remove(bucketLayout.plan(TRAINING_PARTS));
    store.remove(bucketLayout.job(TRAINING_PARTS, 1));
    const problem = {
      file: 'pipeline.json',
      field: 'training.entryPoint',
      value: 'x.py',
      message: 'is not there',
    };
    store.put(bucketLayout.problems(TRAINING_PARTS), JSON.stringify({ schema: 1, problems: [problem] }));
    expect(await write(store, { error: 'PlanRefused', cause: 'told' })).toEqual({ status: 'refused' });
    await looksAsItDid(store, 'refused', 'refused');
  });

  test('an empty drop says so', async () => {
    const store = await trainedDrop({ archive: null, files: {} });
    store.remove(bucketLayout.plan(TRAINING_PARTS));
    store.remove(bucketLayout.job(TRAINING_PARTS, 1));
    expect(await write(store)).toEqual({ status: 'empty' });
    await looksAsItDid(store, 'empty', 'empty');
  });
});

test('long curves keep their first and last value', async () => {
  const store = await promoted();
  const metrics = trainingMetrics();
  const points = Array.from({ length: 5_000 }, (_, value) => ({ at: NOW.toISOString(), value }));
  const series = [{ metric: 'loss', host: 'algo-1', count: 20_000, points }];
  store.put(bucketLayout.metrics(TRAINING_PARTS), JSON.stringify({ ...metrics, series, isWhole: false }));
  await write(store);
  const { metrics: told, notes } = reportOf(store);
  const { values, count } = told[0]!.hosts[0]!;
  expect([values.length, values[0], values.at(-1), count]).toEqual([500, 0, 4_999, 20_000]);
  expect(notes.join()).toContain('the log was too long');
});
