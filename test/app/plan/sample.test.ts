import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { markEnded } from '../../../src/app/records/run.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { continueRun } from '../../../src/app/run/continue-run.ts';
import { summaryLines } from '../../../src/cli/show/summary-lines.ts';
import { toNotice } from '../../../src/notice/notice.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { Report } from '../../../src/report/report.ts';
import { githubMarkdown } from '../../../src/report/text/github-markdown.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { dollars } from '../../../src/text/figures.ts';
import { aRun } from '../../support/a-run.ts';
import { drive, PREFIX, prepare } from '../../support/drive-transform.ts';
import {
  type DropFixture,
  frozenDrop,
  NOW,
  PARTS,
  PIPELINE,
  RUN,
  SETTINGS,
} from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { withProblemLines } from '../../support/problem-lines.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

const clock = () => NOW;
const FOLDERS = { ...PIPELINE.labels, truth: { from: 'folder' } };
const CIRCLE = '{"predictions": [[0.9, 0.1]]}';

/** Images of both classes: 70 circles and 30 squares. */
const HUNDRED = Object.fromEntries(
  Array.from({ length: 100 }, (_, at) => [`${at < 70 ? 'circle' : 'square'}/${String(at)}.png`, 3]),
);

const planOf = (store: MemoryObjectStore, run = PARTS) =>
  Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));
const lines = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { key: string }).key.slice(PREFIX.length));
const drawn = (store: MemoryObjectStore, run = PARTS) => lines(store.text(bucketLayout.sample(run)));

async function plan(fixture: DropFixture) {
  const store = await frozenDrop(fixture);
  await withProblemLines(planRun({ run: PARTS }, { store, clock, settings: SETTINGS }));
  return store;
}

const sampled = (sample: object, more: object = {}) => ({ ...PIPELINE, labels: FOLDERS, sample, ...more });

test('only the inputs drawn are sent, the same ones for a rerun, and the rest is quoted beside them', async () => {
  const store = await plan({ pipeline: sampled({ inputs: 20 }), files: HUNDRED });
  const chosen = drawn(store);
  expect(chosen).toHaveLength(20);
  expect(chosen).toEqual([...chosen].sort());
  const { sample, objects, jobs, notes, cost } = planOf(store);
  expect(sample).toEqual({
    inputs: 20,
    of: 100,
    by: 'none',
    file: 'pipeline.json',
    seed: expect.stringMatching(/^[0-9a-f]{64}$/),
    classes: [],
    restQuoteUsd: expect.any(Number),
  });
  expect([objects, jobs.map((job) => job.objects)]).toEqual([20, [20]]);
  expect((JSON.parse(store.text(jobs[0]!.input)!) as unknown[]).slice(1)).toEqual(chosen);
  expect(notes).toContain(
    `a sample of 20 of 100 inputs (sample in pipeline.json) is quoted at ${dollars(cost.quoteUsd)}, the other 80 at ` +
      `${dollars(sample!.restQuoteUsd)}`,
  );

  const rerun = aRun(`${RUN}r2`);
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as object;
  store.put(bucketLayout.frozen(rerun), JSON.stringify({ ...frozen, origin: { mode: 'rerun', of: RUN } }));
  store.put(bucketLayout.manifest(rerun), store.text(bucketLayout.manifest(PARTS))!);
  await planRun({ run: rerun }, { store, clock, settings: SETTINGS });
  expect(drawn(store, rerun)).toEqual(chosen);
});

test('a drop of no more inputs than the sample is taken whole, whatever was listed when it was planned before', async () => {
  const store = await plan({ pipeline: sampled({ inputs: 20 }), files: HUNDRED });
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(sampled({ inputs: 100 })));
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  expect(planOf(store)).toMatchObject({ sample: null, objects: 100 });
  expect(drawn(store)).toHaveLength(100);
});

const LABELS_CSV = `key,label\n${Object.keys(HUNDRED)
  .slice(0, 95)
  .map((name) => `${name},${name.split('/')[0]}\n`)
  .join('')}`;

test.each([
  ['folders', sampled({ inputs: 20, by: 'class' }), {}, { circle: 14, square: 6 }],
  ['the folder', sampled({ inputs: 20, by: 'folder' }), {}, { circle: 14, square: 6 }],
  [
    'a label file, in which 5 squares are not',
    sampled(
      { inputs: 20, by: 'class' },
      { labels: { ...PIPELINE.labels, truth: { from: 'file', path: 'labels.csv' } } },
    ),
    { 'labels.csv': LABELS_CSV },
    // 14 of 70, 5 of 25, and two of the five without a label.
    { circle: 14, square: 7 },
  ],
])('strata are drawn in proportion, by %s', async (_by, pipeline, texts, expected) => {
  const store = await frozenDrop({ pipeline, files: HUNDRED });
  for (const [name, text] of Object.entries(texts)) store.put(PREFIX + name, text);
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  const folders = drawn(store).map((name) => name.split('/')[0]!);
  expect(
    Object.fromEntries(
      Map.groupBy(folders, (name) => name)
        .entries()
        .map(([k, v]) => [k, v.length]),
    ),
  ).toEqual(expected);
  const { sample } = planOf(store);
  expect(sample!.inputs).toBe(expected.circle + expected.square);
  if (sample!.by === 'class' && Object.keys(texts).length === 0)
    expect(sample!.classes).toEqual([
      { label: 'circle', inputs: 14, of: 70 },
      { label: 'square', inputs: 6, of: 30 },
    ]);
});

test('many small folders do not drown a large one', async () => {
  const names = (folder: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${folder}/${at}.png`);
  const small = Array.from({ length: 14 }, (_, at) => names(`small-${at}`, 2)).flat();
  const files = Object.fromEntries([...small, ...names('large', 252)].map((name) => [name, 3]));
  const chosen = drawn(await plan({ pipeline: sampled({ inputs: 30, by: 'folder' }), files }));
  // 27 of 252 and 3 of the 28 in small folders, by their shares.
  expect(Map.groupBy(chosen, (name) => name.startsWith('large')).get(true)).toHaveLength(27);
  expect(chosen).toHaveLength(30);
});

test('the names of files do not tell which will be drawn', async () => {
  const drawnWith = async (slice: string) => {
    const store = await frozenDrop({ pipeline: sampled({ inputs: 20 }), files: HUNDRED });
    const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as object;
    const manifestSlices = [{ object: slice, through: '~' }];
    store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, manifestSlices }));
    await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
    return drawn(store);
  };
  expect(await drawnWith('one')).not.toEqual(await drawnWith('two'));
  expect(await drawnWith('one')).toEqual(await drawnWith('one'));
});

test('a rare class has two draws, and a sample that cannot give two to each is refused', async () => {
  const files = { ...HUNDRED, 'star/1.png': 3, 'star/2.png': 3, 'star/3.png': 3 };
  const labels = { ...FOLDERS, classes: ['circle', 'square', 'star'] };
  const store = await plan({ pipeline: { ...sampled({ inputs: 20, by: 'class' }), labels }, files });
  expect(planOf(store).sample!.classes.find(({ label }) => label === 'star')).toEqual({
    label: 'star',
    inputs: 2,
    of: 3,
  });
  await expect(plan({ pipeline: { ...sampled({ inputs: 5, by: 'class' }), labels }, files })).rejects.toThrow(
    'sample.inputs must be at least twice the labels of the drop, more than 2, is 5: ask for more, or set sample.by to "none"',
  );
});

test.each([
  [
    'files with many records',
    { ...sampled({ inputs: 5 }), transform: { contentType: 'text/csv' } },
    'sample must not be given where an input may hold many records',
  ],
  [
    'classes without labels',
    { ...PIPELINE, sample: { inputs: 5, by: 'class' } },
    'sample.by must be "folder" or "none" where there are no labels to draw by',
  ],
  [
    'a slow pattern',
    sampled(
      { inputs: 5, by: 'class' },
      { labels: { ...PIPELINE.labels, truth: { from: 'key', pattern: '(?P<c>circle|square)' } } },
    ),
    'sample.by must be "folder" or "none" where the pattern of labels.truth is one that only RE2 reads',
  ],
])('a sample is refused of %s', async (_what, pipeline, message) => {
  await expect(plan({ pipeline, files: HUNDRED })).rejects.toThrow(message);
});

test('a drop may choose its sample, within the gate: it proves what a sample proves, and is never deployed by itself', async () => {
  const pipeline = {
    ...PIPELINE,
    labels: FOLDERS,
    gate: { minAccuracy: 0.5 },
    endpoint: { deploy: 'when-gate-passes', ttlHours: 1 },
  };
  const store = await plan({ pipeline, job: { sample: { inputs: 40 } }, files: HUNDRED });
  expect(planOf(store)).toMatchObject({
    sample: { file: 'job.json', inputs: 40 },
    gate: { minInputs: 30, confidence: 0.95 },
    endpoint: { deploy: 'never' },
    judgedByDrop: [],
  });
  await expect(plan({ pipeline, job: { sample: { inputs: 20 } }, files: HUNDRED })).rejects.toThrow(
    'sample.inputs must be at least 30, gate.minInputs',
  );
  await expect(
    plan({
      pipeline: { ...pipeline, endpoint: undefined },
      job: { sample: { inputs: 40 }, gate: { confidence: null } },
      files: HUNDRED,
    }),
  ).rejects.toThrow('gate.confidence must be at least');
});

async function scored(store: MemoryObjectStore, run = PARTS) {
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

test('the report is of the sample, and its interval of the whole drop; what was not drawn is no error', async () => {
  const pipeline = sampled({ inputs: 50, by: 'class' }, { gate: { minAccuracy: 0.68 } });
  const store = await plan({ pipeline, files: HUNDRED });
  const sagemaker = memorySageMaker({ clock });
  const { jobs } = await drive({ store, sagemaker, clock }, (names) => ({
    write: names,
    status: 'Completed',
    body: CIRCLE,
  }));
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([50]);
  const report = await scored(store);
  // By hand: 35 circles and 15 squares are drawn, and the model says circle of each. Within a class all answers are alike.
  expect(report).toMatchObject({
    total: 50,
    correct: 35,
    accuracy: 0.7,
    errors: 0,
    status: 'completed',
    sample: { inputs: 50, of: 100, by: 'class' },
    gate: { verdict: 'none' },
  });
  const { low, high } = report.quality!.accuracyInterval;
  expect(low).toBeGreaterThan(0.6);
  expect(high).toBeLessThan(0.8);
  expect(low < 0.7 && high > 0.7).toBe(true);
  expect(report.gate.explanation).toMatch(
    /which proves at least 5\d\.\d+%, short of the minimum of 68%\..*It judges a sample of 50 of 100 inputs\.$/,
  );
  const summary = store.text(bucketLayout.summary(PARTS))!;
  expect(summary).toContain('35 of 50 drawn right, 95% interval');
  expect(summary).toContain('of all 100');
  expect(summary).toContain(
    'Sample: 50 of 100 inputs (drawn at random by class; the other 50 were not predicted',
  );
  expect(store.text(bucketLayout.reportHtml(PARTS))).toContain('50 of 100 inputs');
  const [entry] = store.keys(bucketLayout.index('inference', 'shapes'));
  expect(JSON.parse(store.text(entry!)!)).toMatchObject({ total: 50, sampleOf: 100 });
  expect(store.text(bucketLayout.errors(PARTS))?.trim().split('\n')).toHaveLength(1);
});

test('accuracy of a sample by class is that of the whole drop, wherever it is printed', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 110 }, (_, at) => [`${at < 100 ? 'circle' : 'square'}/${String(at)}.png`, 3]),
  );
  const pipeline = sampled(
    { inputs: 10, by: 'class' },
    { gate: { minAccuracy: 0.85, confidence: null, minInputs: 1 } },
  );
  const store = await plan({ pipeline, files });
  const sagemaker = memorySageMaker({ clock });
  await drive({ store, sagemaker, clock }, (names) => ({ write: names, status: 'Completed', body: CIRCLE }));
  const report = await scored(store);
  // By hand: 9 of 100 circles are drawn, and 2 of 10 squares, since a class has two at least. The model says circle of each: 9 of 11 are
  // right, which is 81.8 %, and of the drop 100 of 110, which is 90.9 %.
  expect([report.correct, report.quality!.labeled]).toEqual([9, 11]);
  expect(report.accuracy).toBeCloseTo(100 / 110, 12);
  expect(report.quality!.accuracy).toBe(report.accuracy);
  expect(report.gate).toMatchObject({
    verdict: 'passed',
    explanation: expect.stringContaining(
      '9 of 11 inputs are right, 90.91% with each class weighed by its size',
    ),
  });
  const { low, high } = report.quality!.accuracyInterval;
  expect(low < 100 / 110 && high > 100 / 110).toBe(true);
  const note = '9 of 11 drawn right, each class weighed by its size in the drop, 95% interval';
  const [entry] = store.keys(bucketLayout.index('inference', 'shapes'));
  expect(JSON.parse(store.text(entry!)!).accuracy).toBe(report.accuracy);
  const message = toNotice({ run: RUN, bucket: 'bucket', status: report.status, report });
  const printed = [
    store.text(bucketLayout.summary(PARTS))!,
    githubMarkdown(report, undefined, NOW),
    summaryLines(report, silentTerminal()).join('\n'),
    `${message.subject}\n${message.body}`,
    store.text(bucketLayout.confusionMatrix(PARTS))!,
  ];
  for (const text of printed) {
    expect(text).toContain('90.9%');
    expect(text).not.toContain('81.8%');
  }
  const page = store.text(bucketLayout.reportHtml(PARTS))!;
  expect(page).toContain('<p class="accuracy">90.9<small>');
  for (const text of [page, printed[0], printed[2]]) expect(text).toContain(note);
});

/** A sampled run of 20 of 100 that has ended, and the run that continues it, planned. */
async function continued(change: (store: MemoryObjectStore) => void = () => undefined) {
  const pipeline = sampled(
    { inputs: 40 },
    { gate: { minAccuracy: 0.6 }, endpoint: { deploy: 'when-gate-passes', ttlHours: 1 } },
  );
  const store = await plan({ pipeline, files: HUNDRED });
  const sagemaker = memorySageMaker({ clock });
  const answer = { status: 'Completed', body: CIRCLE } as const;
  await prepare({ store, sagemaker, clock });
  await drive({ store, sagemaker, clock }, (names) => ({ write: names, ...answer }));
  await scored(store);
  change(store);
  const executions = memoryExecutions();
  const { run: name } = await continueRun({ run: PARTS }, { store, executions: () => executions });
  const run = aRun(name);
  store.put(bucketLayout.manifest(run), store.text(bucketLayout.manifest(PARTS))!);
  await withProblemLines(planRun({ run }, { store, clock, settings: SETTINGS }));
  return { store, sagemaker, run, name, answer };
}

test('a sampled run is continued: only the rest is sent, once, and the report is of the whole', async () => {
  const { store, sagemaker, run, name, answer } = await continued();
  expect(name).toBe(`${RUN}c1`);
  const before = drawn(store);
  expect(planOf(store, run)).toMatchObject({
    continues: RUN,
    sample: null,
    objects: 60,
    endpoint: { deploy: 'when-gate-passes' },
    model: planOf(store).model,
  });
  const { jobs, answer: folded } = await drive({ store, sagemaker, clock, run }, (names) => ({
    write: names,
    ...answer,
  }));
  const sent = jobs.flatMap(({ inputs }) => inputs);
  expect([...sent, ...before].sort()).toEqual(Object.keys(HUNDRED).sort());
  expect(folded).toEqual({ next: 'fold', shards: 1, inputs: 100, missing: 0, isRound: false });
  // By hand: all 70 circles of 100 are right.
  const report = await scored(store, run);
  expect(report).toMatchObject({ total: 100, correct: 70, errors: 0, sample: null, status: 'completed' });
  // What the sampled run has written stays, and the continued one is scored again without a job.
  expect(store.keys(bucketLayout.predictions(PARTS))).toHaveLength(40);
  expect(store.keys(bucketLayout.predictions(run))).toHaveLength(60);
});

test('a run is continued once, however often it is asked for at once, and however pipeline.json has changed since', async () => {
  const { store, name } = await continued();
  const executions = memoryExecutions();
  const ask = () => continueRun({ run: PARTS }, { store, executions: () => executions });
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  expect(new Set(answers.map(({ run, outcome }) => `${run} ${outcome}`))).toEqual(
    new Set([`${name} exists`]),
  );
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(sampled({ inputs: 40 })));
  expect((await ask()).outcome).toBe('exists');
  await markEnded(store, aRun(name), 'failed', NOW);
  expect(await ask()).toEqual({ run: `${RUN}c2`, outcome: 'started' });
});

test('a job of the rest that leaves nothing is not hidden by what the sampled run has left', async () => {
  const { store, sagemaker, run } = await continued();
  await expect(
    drive({ store, sagemaker, clock, run }, () => ({ write: [], status: 'Failed', failureReason: 'bad' })),
  ).rejects.toMatchObject({ name: 'NothingPredicted' });
});

test('an input that the sample left without an answer is sent again with what is missing', async () => {
  const { store, sagemaker, run, answer } = await continued((kept) => {
    kept.remove(`${bucketLayout.predictions(PARTS)}${drawn(kept)[0]!}.out`);
  });
  const missing = drawn(store)[0]!;
  const { jobs, answer: folded } = await drive({ store, sagemaker, clock, run }, (names) => ({
    write: names,
    ...answer,
  }));
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([60, 1]);
  expect(jobs[1]!.inputs).toEqual([missing]);
  expect(folded).toMatchObject({ inputs: 100, missing: 0 });
});

test("today's model does not predict the rest of a sample of yesterday's", async () => {
  const { store, run } = await continued((kept) => {
    kept.put(bucketLayout.pipelineModel('shapes'), 'another');
  });
  expect(planOf(store, run).model).toEqual(planOf(store).model);
});

test('a run that has predicted all of its inputs is not continued, nor one whose model is gone', async () => {
  const { store, sagemaker, run, answer } = await continued();
  await drive({ store, sagemaker, clock, run }, (names) => ({ write: names, ...answer }));
  await scored(store, run);
  const executions = memoryExecutions();
  const ask = (of: typeof run) => continueRun({ run: of }, { store, executions: () => executions });
  await expect(ask(run)).rejects.toMatchObject({
    name: 'NothingToContinue',
    message: expect.stringContaining('has predicted all of its inputs'),
  });
  store.remove(bucketLayout.model(planOf(store).model.sha256));
  await expect(ask(PARTS)).rejects.toThrow('is not there any more');
});

test('steps that are repeated, as after a crash, send nothing twice', async () => {
  const { store, sagemaker, run, answer } = await continued();
  await planRun({ run }, { store, clock, settings: SETTINGS });
  const { jobs } = await drive(
    { store, sagemaker, clock, run },
    (names) => ({ write: names, ...answer }),
    undefined,
    async (step) => {
      await step();
      return step();
    },
  );
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([60]);
  expect(sagemaker.jobs.size).toBe(2);
});

test('slices are of the inputs drawn, in the note of the plan too, and of all once the run is continued', async () => {
  const report = { slices: [{ from: 'file', column: 'shift', name: 'shift' }] };
  const gate = { slices: { 'shift=day': { minAccuracy: 0.9, minInputs: 40 } }, minInputs: 1 };
  const labels = { ...PIPELINE.labels, truth: { from: 'file', path: 'labels.csv' } };
  const pipeline = sampled({ inputs: 20, by: 'class' }, { labels, report, gate });
  const store = await frozenDrop({ pipeline, files: HUNDRED });
  const rows = Object.keys(HUNDRED).map((name) => {
    const label = name.split('/')[0]!;
    return `${name},${label},${label === 'circle' ? 'day' : 'night'}\n`;
  });
  store.put(`${PREFIX}labels.csv`, `key,label,shift\n${rows.join('')}`);
  await withProblemLines(planRun({ run: PARTS }, { store, clock, settings: SETTINGS }));
  // By hand: 14 of 70 circles and 6 of 30 squares are drawn, and the model says circle of each.
  expect(planOf(store).notes).toContain(
    'gate.slices bounds "shift=day", which 14 of 20 inputs have, fewer than the 40 that it needs: the gate will have no verdict',
  );
  const sagemaker = memorySageMaker({ clock });
  const answer = { status: 'Completed', body: CIRCLE } as const;
  await prepare({ store, sagemaker, clock });
  await drive({ store, sagemaker, clock }, (names) => ({ write: names, ...answer }));
  const counts = ({ slices }: Report) =>
    slices?.weakest.map(({ value, labeled, correct }) => [value, labeled, correct]);
  const part = await scored(store);
  expect(part.gate.verdict).toBe('none');
  expect(counts(part)).toEqual([
    ['night', 6, 0],
    ['day', 14, 14],
  ]);

  const { run: name } = await continueRun({ run: PARTS }, { store, executions: () => memoryExecutions() });
  const run = aRun(name);
  store.put(bucketLayout.manifest(run), store.text(bucketLayout.manifest(PARTS))!);
  await withProblemLines(planRun({ run }, { store, clock, settings: SETTINGS }));
  expect(planOf(store, run).notes.filter((note) => note.startsWith('gate.slices'))).toEqual([]);
  await drive({ store, sagemaker, clock, run }, (names) => ({ write: names, ...answer }));
  const whole = await scored(store, run);
  expect(whole.gate.verdict).toBe('passed');
  expect(counts(whole)).toEqual([
    ['night', 30, 0],
    ['day', 70, 70],
  ]);
});
