import { describe, expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { settleDrop } from '../../../src/app/drop/settle-drop.ts';
import { requireDeployable } from '../../../src/app/endpoint/deployable-run.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { replaceLabels } from '../../../src/app/plan/write/replace-labels.ts';
import { writeCovered } from '../../../src/app/records/drop.ts';
import { markEnded } from '../../../src/app/records/run.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { rescore } from '../../../src/app/run/rescore.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import type { Frozen } from '../../../src/drop/frozen.ts';
import { Plan } from '../../../src/plan/plan.ts';
import type { PlanRefused } from '../../../src/plan/refused.ts';
import { problemLine } from '../../../src/problem/problem.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { RunParts } from '../../../src/run/run-id.ts';
import { aRun } from '../../support/a-run.ts';
import { drive, PREFIX } from '../../support/drive-transform.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { withProblemLines } from '../../support/problem-lines.ts';
import { frozenFiles, planWithTars } from '../../support/tar-drop.ts';

const clock = () => NOW;
const CIRCLE = '{"predictions": [[0.9, 0.1]]}';
const LABELS = {
  ...PIPELINE,
  labels: { ...PIPELINE.labels, truth: { from: 'file', path: 'labels.csv' } },
  gate: { minAccuracy: 0.7, minInputs: 1 },
};
const WRONG = 'key,label\na.png,circle\nb.png,square\nc.png,square\n';
const RIGHT = 'key,label\na.png,circle\nb.png,circle\nc.png,square\n';

/** A drop of three images and a label file, planned, whose jobs answered "circle" for all but `poison`. */
async function predicted({
  pipeline = LABELS,
  poison = [] as string[],
}: { pipeline?: object; poison?: string[] } = {}) {
  const store = await frozenDrop({ pipeline, files: { 'a.png': 3, 'b.png': 4, 'c.png': 5 } });
  store.put(`${PREFIX}labels.csv`, WRONG);
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  const sagemaker = memorySageMaker({ clock });
  const { jobs } = await drive({ store, sagemaker, clock }, (names) => ({
    write: names.filter((name) => !poison.includes(name)),
    status: 'Completed',
    body: CIRCLE,
  }));
  return { store, jobs };
}

async function scored(store: MemoryObjectStore, run: RunParts) {
  const shards = JSON.parse(store.text(bucketLayout.shards(run))!) as object[];
  for (const shard of shards)
    await foldPredictions({ ...shard, run } as never, { store, imageFacts, clock: () => new Date(0) });
  await writeReport(
    { run, startedAt: NOW.toISOString() },
    { store, clock, logs: memoryEngineLogs(), thumbnail },
  );
  await markEnded(store, run, 'completed', NOW);
  return Report.parse(JSON.parse(store.text(bucketLayout.reportJson(run))!));
}

/** Has the machine's steps score a run again: there is no SageMaker that a step could call. */
async function again(store: MemoryObjectStore, of = PARTS) {
  const executions = memoryExecutions();
  const { run: name } = await rescore({ run: of }, { store, executions: () => executions });
  return judgedAs(store, name);
}

/** Has the machine's steps judge the predictions of the first run as a run of this name. */
async function judgedAs(store: MemoryObjectStore, name: string) {
  const run = aRun(name);
  // SettleDrop copies the manifest from the slices that frozen.json names.
  store.put(bucketLayout.manifest(run), store.text(bucketLayout.manifest(PARTS))!);
  const plan = await withProblemLines(planRun({ run }, { store, clock, settings: SETTINGS }));
  expect(plan).toMatchObject({ status: 'predicted' });
  const services = { store, clock, newId: () => crypto.randomUUID(), logs: memoryEngineLogs() };
  const next = await reconcileOutputs({ run, attempt: 1 }, services);
  return {
    name,
    next,
    report: await scored(store, run),
    plan: Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!)),
  };
}

test('a label is corrected, and the run is scored again without a job', async () => {
  const { store } = await predicted();
  const before = await scored(store, PARTS);
  expect(before).toMatchObject({ correct: 1, rescoreOf: null, gate: { verdict: 'failed' } });
  const { key } = await replaceLabels(store, PARTS, Buffer.from(RIGHT));
  expect(key).toBe(`${PREFIX}labels.csv`);

  const { name, next, report, plan } = await again(store);

  expect(name).toBe(`${RUN.replace(/\d+$/, '')}000001s1`);
  expect(next).toEqual({ next: 'fold', shards: 1, inputs: 3, missing: 0, isRound: false });
  // By hand: circle, circle and square, and the model says circle of each.
  expect(report).toMatchObject({
    total: 3,
    correct: 2,
    accuracy: 2 / 3,
    rescoreOf: RUN,
    jobs: [],
    costUsd: 0,
    gate: { verdict: 'failed' },
  });
  expect(plan.cost.quoteUsd).toBeGreaterThan(0);
  expect(plan.cost.quoteUsd).toBeLessThan(0.001);
  expect(store.keys(bucketLayout.jobs(aRun(name)))).toEqual([]);
  expect(store.text(bucketLayout.summary(aRun(name)))).toContain(
    `Rescore of: ${RUN} (its predictions, scored again`,
  );
  expect(store.text(bucketLayout.summary(aRun(name)))).toContain('(no job ran, quoted ');
  expect(store.text(bucketLayout.reportHtml(aRun(name)))).toContain('scored again without a job');
  // What the run before has written stays.
  expect(Report.parse(JSON.parse(store.text(bucketLayout.reportJson(PARTS))!))).toEqual(before);
});

test('a bound that was set too high is judged again, and a rescore of a rescore is one of the first run', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  const pipeline = { ...LABELS, gate: { minAccuracy: 0.3, minInputs: 1 } };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(pipeline));
  const first = await again(store);
  expect(first.report.gate.verdict).toBe('passed');
  const higher = { ...LABELS, gate: { minAccuracy: 0.4, minInputs: 1 } };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(higher));
  const second = await again(store, aRun(first.name));
  expect([second.name.split('/').at(-1), second.report.rescoreOf]).toEqual(['000001s2', RUN]);
});

test('a rescore that a function is to serve is refused where none can run the model, before anything is scored', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  // PrepareModel keeps the archive; its script is read again.
  const { model } = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  const keep = async (script: string): Promise<void> =>
    void store.put(
      bucketLayout.model(model.sha256),
      await modelArchive({ '1/saved_model.pb': 'graph', 'code/inference.py': script }),
    );
  const served = { ...LABELS, endpoint: { type: 'lambda', deploy: 'when-gate-passes' } };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(served));
  await keep('import numpy\n');
  await expect(again(store)).rejects.toThrow(/endpoint\.type.*numpy/s);
  store.remove(bucketLayout.model(model.sha256));
  await keep('import json\n');
  expect((await again(store)).plan.endpoint).toMatchObject({ type: 'lambda' });
});

test('a rescore that a function is to serve is judged by the archive that an endpoint has, without the handler of bundles', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  const plan = JSON.parse(store.text(bucketLayout.plan(PARTS))!);
  const bundled = 'f'.repeat(64);
  const { artifact, artifactVersion, artifactEtag, sha256 } = plan.model;
  const served = { artifact, artifactVersion, artifactEtag, sha256 };
  store.put(
    bucketLayout.plan(PARTS),
    JSON.stringify({ ...plan, model: { ...plan.model, sha256: bundled, served } }),
  );
  const files = { '1/saved_model.pb': 'graph' };
  store.put(bucketLayout.model(sha256), await modelArchive(files));
  store.put(
    bucketLayout.model(bundled),
    await modelArchive({ ...files, 'code/inference.py': 'import numpy\n' }),
  );
  const endpoint = { type: 'lambda', deploy: 'when-gate-passes' };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify({ ...LABELS, endpoint }));
  expect((await again(store)).plan.endpoint).toMatchObject({ type: 'lambda' });
});

/** Names and outcomes of requests one after the other, each after a change; the runs they start end as given. */
async function asked(
  store: MemoryObjectStore,
  steps: readonly (readonly [change: () => void, status?: string])[],
) {
  const executions = memoryExecutions();
  const answers = [];
  for (const [change, status = 'completed'] of steps) {
    change();
    const answer = await rescore({ run: PARTS }, { store, executions: () => executions });
    answers.push(`${answer.run.split('/').at(-1)} ${answer.outcome}`);
    if (answer.outcome === 'exists') continue;
    await markEnded(store, aRun(answer.run), status, NOW);
    store.put(bucketLayout.reportJson(aRun(answer.run)), '{}');
  }
  expect(executions.all).toHaveLength(answers.filter((answer) => answer.endsWith('started')).length);
  return answers;
}

test('what is asked for again is there: by the same labels and settings, however often they changed between', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  const nothing = () => undefined;
  const configure = (more: object) => () =>
    store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify({ ...LABELS, ...more }));
  const answers = await asked(store, [
    [nothing],
    [nothing],
    [() => store.put(`${PREFIX}labels.csv`, RIGHT)],
    [() => store.put(`${PREFIX}labels.csv`, WRONG)],
    [configure({ gate: { minAccuracy: 0.3, minInputs: 1 } })],
    [configure({ report: { topK: [1] } })],
    [() => store.put(`${PREFIX}job.json`, JSON.stringify({ gate: { minAccuracy: 0.99 } }))],
    [() => store.remove(`${PREFIX}job.json`)],
    // The instances of a job that does not run decide nothing.
    [configure({ report: { topK: [1] }, transform: { instanceCount: 2 } })],
  ]);
  expect(answers).toEqual([
    '000001s1 started',
    '000001s1 exists',
    '000001s2 started',
    '000001s1 exists',
    '000001s3 started',
    '000001s4 started',
    '000001s5 started',
    '000001s4 exists',
    '000001s4 exists',
  ]);
});

test('a rescore that failed, was refused, or whose report has expired is not the answer to the next one', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  const nothing = () => undefined;
  const answers = await asked(store, [
    [nothing, 'failed'],
    [nothing, 'refused'],
    [nothing, 'completed-with-errors'],
    [nothing],
    [() => store.remove(bucketLayout.reportJson(aRun(`${RUN.slice(0, -6)}000001s3`)))],
  ]);
  expect(answers).toEqual([
    '000001s1 started',
    '000001s2 started',
    '000001s3 started',
    '000001s3 exists',
    '000001s4 started',
  ]);
});

test('a rescore that was frozen by a process that died is started by the next request', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  const dead = memoryExecutions({
    before: () => {
      throw new Error('the process has died');
    },
  });
  await expect(rescore({ run: PARTS }, { store, executions: () => dead })).rejects.toThrow('has died');
  const executions = memoryExecutions();
  expect(await rescore({ run: PARTS }, { store, executions: () => executions })).toMatchObject({
    outcome: 'exists',
    run: expect.stringMatching(/000001s1$/),
  });
  expect(executions.all).toHaveLength(1);
});

test('requests at once, by two label files in turn, start a run for each of them', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  const executions = memoryExecutions();
  const ask = () => rescore({ run: PARTS }, { store, executions: () => executions });
  const first = Array.from({ length: 10 }, ask);
  await Promise.all(first);
  store.put(`${PREFIX}labels.csv`, RIGHT);
  const names = (await Promise.all(Array.from({ length: 10 }, ask))).map(({ run }) => run.split('/').at(-1));
  expect([new Set(names), executions.all.length]).toEqual([new Set(['000001s2']), 2]);
});

test('what an input was when it was predicted counts, whatever has become of it since', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  store.put(`${PREFIX}a.png`, 'other');
  store.remove(`${PREFIX}b.png`);
  const { report } = await again(store);
  expect(report).toMatchObject({ total: 3, records: 3, errors: 0 });
});

test('the model and the settings that made the predictions are those of the run, whatever pipeline.json says today', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  const before = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  store.remove(bucketLayout.pipelineModel('shapes'));
  const pipeline = {
    ...LABELS,
    model: { framework: 'pytorch', frameworkVersion: '2.6' },
    transform: { instanceTypes: ['ml.g5.xlarge'], contentType: 'text/csv', accept: 'text/csv' },
  };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(pipeline));
  const { plan } = await again(store);
  expect([plan.model, plan.transform, plan.jobs]).toEqual([before.model, before.transform, before.jobs]);
  expect(plan.predictions).toBe(RUN);
});

test('an input without a prediction stays without one', async () => {
  const { store } = await predicted({ poison: ['b.png'] });
  await scored(store, PARTS);
  const { next, report } = await again(store);
  expect(next).toMatchObject({ inputs: 3, missing: 1 });
  expect(report).toMatchObject({ records: 2, errorsByReason: { 'model-error': 1 } });
});

test('a run that failed after its job was paid for is scored once its classes are right', async () => {
  const pipeline = { ...LABELS, labels: { ...LABELS.labels, classes: ['circle', 'square', 'star'] } };
  const { store } = await predicted({ pipeline });
  await expect(scored(store, PARTS)).rejects.toThrow('classes');
  const failure = { error: 'States.ExceedToleratedFailureThreshold', cause: '' };
  const early = { run: PARTS, startedAt: NOW.toISOString(), failure };
  await writeReport(early, { store, clock, logs: memoryEngineLogs(), thumbnail });
  await markEnded(store, PARTS, 'failed', NOW);
  const failed = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(PARTS))!));
  expect(failed.failure).toMatchObject({
    error: 'ClassCountMismatch',
    nextStep: expect.stringContaining('inferdrop rescore'),
  });
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(LABELS));
  expect((await again(store)).report).toMatchObject({ status: 'completed', correct: 1, jobs: [] });
});

test('a run that died before its outputs were compared is compared now', async () => {
  const { store } = await predicted();
  await markEnded(store, PARTS, 'failed', NOW);
  store.put(bucketLayout.reportJson(PARTS), '{}');
  store.remove(bucketLayout.reconciled(PARTS));
  store.remove(bucketLayout.shards(PARTS));
  const { next, report } = await again(store);
  expect(next).toMatchObject({ next: 'fold', inputs: 3, missing: 0 });
  expect(report).toMatchObject({ records: 3, correct: 1 });
  expect(store.keys(bucketLayout.run(PARTS)).some((key) => key.endsWith('reconciled.jsonl'))).toBe(false);
});

test('a run whose scoring timed out is scored again', async () => {
  const { store } = await predicted();
  const failure = { error: 'States.Timeout', cause: '' };
  const early = { run: PARTS, startedAt: NOW.toISOString(), failure };
  await writeReport(early, { store, clock, logs: memoryEngineLogs(), thumbnail });
  await markEnded(store, PARTS, 'failed', NOW);
  const { report } = await again(store);
  expect(report).toMatchObject({ status: 'completed', records: 3, correct: 1, rescoreOf: RUN, costUsd: 0 });
});

test('a rescored run whose gate passes may be served, by the model that made the predictions', async () => {
  const { store } = await predicted();
  await scored(store, PARTS);
  await expect(requireDeployable(store, PARTS, null)).rejects.toMatchObject({ name: 'GateNotPassed' });
  const pipeline = { ...LABELS, gate: { minAccuracy: 0.3, minInputs: 1 } };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(pipeline));
  const { name } = await again(store);
  const { plan } = await requireDeployable(store, aRun(name), null);
  const before = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  expect(plan.model.sha256).toBe(before.model.sha256);
});

test.each<[string, RunParts, (store: MemoryObjectStore) => void, string, string?]>([
  [
    'a training',
    aRun('training/shapes/monday/000001'),
    () => undefined,
    'training/shapes/monday/000001 is a training, which has no predictions',
  ],
  [
    'a run that goes on',
    PARTS,
    (store) => store.remove(bucketLayout.ended(PARTS)),
    `${RUN} is still running: inferdrop watch ${RUN}`,
    'StillRunning',
  ],
  [
    'no run',
    aRun('shapes/sunday/000001'),
    () => undefined,
    'shapes/sunday/000001 has not frozen its files',
    'RunUnknown',
  ],
  [
    'a run whose files have expired',
    PARTS,
    (store) => {
      for (const key of store.keys(bucketLayout.run(PARTS))) store.remove(key);
    },
    `the predictions of ${RUN}, which ended on 2026-03-01, have expired (stack parameter RunsRetentionDays)`,
    'PredictionsExpired',
  ],
  [
    'a run whose outputs have expired',
    PARTS,
    (store) => {
      for (const key of store.keys(bucketLayout.predictions(PARTS))) store.remove(key);
    },
    `the predictions of ${RUN}, which ended on 2026-03-01, have expired (stack parameter RunsRetentionDays)`,
    'PredictionsExpired',
  ],
  [
    'a run that was refused',
    PARTS,
    (store) => store.remove(bucketLayout.plan(PARTS)),
    `${RUN} has no predictions: inferdrop rerun ${RUN} predicts its inputs`,
  ],
])('%s is refused by name', async (_what, of, change, message, name = 'NothingToRescore') => {
  const { store } = await predicted();
  await scored(store, PARTS);
  change(store);
  const executions = memoryExecutions();
  const asked = rescore({ run: of }, { store, executions: () => executions });
  await expect(asked).rejects.toMatchObject({
    name,
    message: expect.stringContaining(message),
  });
  expect(store.keys('state/').filter((key) => key.includes('s1/'))).toEqual([]);
});

test('a label file replaces the former one, of which the bucket keeps the version', async () => {
  const { store } = await predicted();
  const former = store.info(`${PREFIX}labels.csv`)!;
  const { key, before } = await replaceLabels(store, PARTS, Buffer.from(RIGHT));
  expect([store.text(key), before]).toEqual([
    RIGHT,
    expect.objectContaining({ versionId: former.versionId, size: WRONG.length }),
  ]);
});

test.each([
  [
    'labels come from the keys',
    { from: 'key', pattern: '(a)' },
    RIGHT,
    'pipeline.json: labels.truth must be',
  ],
  ['the new one is empty', LABELS.labels.truth, '', 'the new labels.csv has no row: nothing was replaced'],
  ['it is no label file', LABELS.labels.truth, 'key,label\na.png\n', 'nothing was replaced'],
  [
    'the new one names no input',
    LABELS.labels.truth,
    'key,label\n./other/a.png,circle\nd.png,square\n',
    `the new labels.csv names no input of ${RUN}: a row has "incoming/shapes/monday/d.png", and an input is "incoming/shapes/monday/a.png"`,
  ],
  [
    'no label of the new one is a class',
    LABELS.labels.truth,
    'key,label\na.png,Circle\nb.png,star\n',
    'the new labels.csv gives no class of labels.classes, but "Circle" of incoming/shapes/monday/a.png (did you mean "circle"?)',
  ],
  [
    'the new one can be read in two ways',
    LABELS.labels.truth,
    'key,label\na.png,1\nb.png,1\n',
    'pipeline.json: labels.numbers must be "index" (1 is "square") or "index-from-1" (1 is "circle")',
  ],
])('no label file is replaced where %s', async (_why, truth, body, message) => {
  const { store } = await predicted({ pipeline: { ...PIPELINE, labels: { ...PIPELINE.labels, truth } } });
  const replaced = replaceLabels(store, PARTS, Buffer.from(body));
  await expect(replaced).rejects.toMatchObject({
    name: 'LabelsNotReplaced',
    message: expect.stringContaining(message),
  });
  expect(store.text(`${PREFIX}labels.csv`)).toBe(WRONG);
});

test('a label file that names a table, and none of its records, is told how these are named', async () => {
  const transform = { engine: 'lambda', contentType: 'text/csv' };
  const pipeline = { ...LABELS, columns: { features: ['x'] }, transform };
  const store = await frozenFiles({ 'a.csv': 'x\n1\n2\n' }, { pipeline });
  store.put(`${PREFIX}labels.csv`, 'key,record,label\na.csv,0,circle\na.csv,1,square\n');
  await planWithTars(store);
  const replaced = replaceLabels(store, PARTS, Buffer.from('key,label\na.csv,circle\n'));
  await expect(replaced).rejects.toMatchObject({
    message:
      `the new labels.csv names no input of ${RUN}: a record is named by its file, and by its place from 0 in a column ` +
      '"record": nothing was replaced',
  });
});

test('slices are those of today: a column that the label file has gained, and the bound on it', async () => {
  const { store } = await predicted();
  expect((await scored(store, PARTS)).slices).toBeNull();
  const pipeline = {
    ...LABELS,
    report: { slices: [{ from: 'file', column: 'shift', name: 'shift' }] },
    gate: { slices: { 'shift=night': { minAccuracy: 0.9, minInputs: 1 } } },
  };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(pipeline));
  const labels = 'key,label,shift\na.png,circle,day\nb.png,circle,night\nc.png,square,night\n';
  await replaceLabels(store, PARTS, Buffer.from(labels));
  const { report } = await again(store);
  expect(report.slices?.weakest.map(({ value, labeled, correct }) => [value, labeled, correct])).toEqual([
    ['night', 2, 1],
    ['day', 1, 1],
  ]);
  expect(report.gate).toMatchObject({
    verdict: 'failed',
    explanation: 'The gate failed: accuracy is too low in shift=night (1 of 2 right, 50%, minimum 90%).',
  });
});

test('a drop that was taken whole, being smaller than the sample, is judged as strictly again', async () => {
  const pipeline = { ...LABELS, gate: { minAccuracy: 0.1 }, sample: { inputs: 50 } };
  const { store } = await predicted({ pipeline });
  const strict = { minInputs: 30, confidence: 0.95 };
  const planned = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  expect(planned).toMatchObject({ sample: null, gate: strict });
  expect(await scored(store, PARTS)).toMatchObject({ gate: { verdict: 'none' } });
  const { plan, report } = await again(store);
  expect(plan).toMatchObject({ sample: null, gate: strict });
  expect(report).toMatchObject({ gate: { verdict: 'none' } });
});

describe('a label file that arrives alone', () => {
  const SECOND = aRun(RUN.replace('000001', '000002'));
  const later = new Date(NOW.getTime() + 7 * 86_400_000);

  /** A drop whose first generation has had its images, so that labels are all that the second may find. */
  async function had(store: MemoryObjectStore): Promise<void> {
    const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as Frozen;
    const object = `${bucketLayout.covered(PARTS)}all.jsonl.gz`;
    await writeCovered(store, object, store.text(bucketLayout.manifest(PARTS))!);
    const coveredSlices = [{ object, through: `${PREFIX}c.png` }];
    store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, coveredSlices }));
    store.put(bucketLayout.freezing(PARTS), '', NOW);
  }

  const settled = (store: MemoryObjectStore, run = SECOND) =>
    settleDrop(
      { run, executionArn: 'arn', startedAt: NOW.toISOString() },
      { store, clock: () => later, newId: () => crypto.randomUUID(), settings: SETTINGS },
    );

  const problemsOf = async (store: MemoryObjectStore, run = SECOND): Promise<string> => {
    const { problems } = (await settled(store, run).catch((error: unknown) => error)) as PlanRefused;
    return problems.map(problemLine).join('\n');
  };

  test('judges the predictions that were waiting for it: no job, no deployment, and not twice', async () => {
    const endpoint = { deploy: 'when-gate-passes' };
    const pipeline = { ...LABELS, gate: { minAccuracy: 0.3, minInputs: 1, confidence: null }, endpoint };
    const store = await frozenDrop({ pipeline, files: { 'a.png': 3, 'b.png': 4, 'c.png': 5 } });
    await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
    const planned = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
    expect(planned.notes).toContain(
      `labels.csv is not there: predictions without figures. Upload it later to ${PREFIX}labels.csv: no job runs again`,
    );
    const sagemaker = memorySageMaker({ clock });
    await drive({ store, sagemaker, clock }, (write) => ({ write, status: 'Completed', body: CIRCLE }));
    const before = await scored(store, PARTS);
    expect(before).toMatchObject({
      total: 3,
      accuracy: null,
      gate: { verdict: 'none', explanation: 'The gate has no verdict: the label file has not arrived.' },
    });
    await had(store);

    store.put(`${PREFIX}labels.csv`, RIGHT, later);
    expect(await settled(store)).toMatchObject({ status: 'frozen', objects: 3 });
    const { report, plan } = await judgedAs(store, `shapes/monday/000002`);

    // Nobody knows who chose them: the verdict would act.
    expect(report).toMatchObject({ correct: 2, rescoreOf: RUN, jobs: [], gate: { verdict: 'none' } });
    expect(report.gate.explanation).toContain('state "labels": {"outcomes": true} in pipeline.json');
    expect(report.labelChanges).toMatchObject({ added: 3, addedRight: 2, since: [RUN] });
    expect(plan.endpoint).toMatchObject({ deploy: 'never' });
    expect(plan.notes).toContainEqual(expect.stringContaining('deploy nothing automatically'));
    // A second event of the same upload finds that the labels are read, and a rescore by name may deploy.
    const third = aRun('shapes/monday/000003');
    expect(await settled(store, third)).toEqual({ status: 'empty', announce: false });
    expect(await again(store)).toMatchObject({
      plan: { endpoint: { deploy: 'when-gate-passes' } },
      report: { gate: { verdict: 'none' } },
    });
    // The owner states that they are outcomes.
    const outcomes = { ...pipeline, labels: { ...pipeline.labels, outcomes: true } };
    store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(outcomes));
    expect(await again(store)).toMatchObject({
      plan: { endpoint: { deploy: 'when-gate-passes' }, labels: { outcomes: true } },
      report: { gate: { verdict: 'passed' } },
    });
  });

  test('judges again where it differs from the one that was read, once nobody else reads it', async () => {
    const { store } = await predicted();
    await scored(store, PARTS);
    await had(store);
    store.put(`${PREFIX}labels.csv`, RIGHT, later);
    await rescore({ run: PARTS }, { store, executions: () => memoryExecutions() });
    expect(await settled(store)).toMatchObject({ status: 'waiting' });
    await markEnded(store, aRun('shapes/monday/000001s1'), 'failed', NOW);
    expect(await settled(store)).toMatchObject({ status: 'frozen', objects: 3 });
  });

  test('that was read already opens nothing', async () => {
    const { store } = await predicted();
    await scored(store, PARTS);
    await had(store);
    expect(await settled(store)).toEqual({ status: 'empty', announce: false });
  });

  test('is refused with a remedy where there is nothing to judge', async () => {
    const alone = memoryObjectStore({ clock });
    alone.put(`${PREFIX}labels.csv`, RIGHT);
    expect(await problemsOf(alone, PARTS)).toBe(
      'labels.csv came without any input: upload the inputs next to it. New labels for an earlier run go to the ' +
        'folder of its drop, as inferdrop rescore RUN --labels FILE puts them there',
    );
    const { store } = await predicted();
    await scored(store, PARTS);
    await had(store);
    store.put(`${PREFIX}labels.csv`, RIGHT, later);
    for (const key of store.keys(bucketLayout.predictions(PARTS))) store.remove(key);
    expect(await problemsOf(store)).toMatch(/^labels\.csv came too late: the predictions of .* have expired/);
    const refused = await frozenDrop({ pipeline: LABELS, files: { 'a.png': 3, 'c.png': 5 } });
    await had(refused);
    await markEnded(refused, PARTS, 'refused', NOW);
    refused.put(bucketLayout.reportJson(PARTS), '{}');
    refused.put(`${PREFIX}labels.csv`, RIGHT, later);
    expect(await problemsOf(refused)).toBe(
      `labels.csv came too late: ${RUN} has no predictions: inferdrop rerun ${RUN} predicts its inputs`,
    );
  });
});

test.each([
  ['labels.strict', { labels: { ...LABELS.labels, strict: true } }],
  ['a sample by class', { sample: { inputs: 2, by: 'class' } }],
  ['slices by its columns', { report: { slices: [{ from: 'file', column: 'site', name: 'site' }] } }],
])('a label file that is still to come refuses the run where %s needs it', async (_, more) => {
  const store = await frozenDrop({ pipeline: { ...LABELS, ...more }, files: { 'a.png': 3, 'b.png': 4 } });
  await expect(
    withProblemLines(planRun({ run: PARTS }, { store, clock, settings: SETTINGS })),
  ).rejects.toThrow('labels.truth.path names a file that the drop does not have');
});
