import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { packedTar } from '../../support/packed-tar.ts';
import { withProblemLines } from '../../support/problem-lines.ts';
import { drawn, early, images, planOf } from '../../support/rounds.ts';
import { frozenFiles, planWithTars } from '../../support/tar-drop.ts';

const FILES = images(600, 570);
const GATE = { minAccuracy: 0.9 };
const SITES = { report: { slices: [{ from: 'folder', name: 'site', level: 1 }] } };
const clock = () => NOW;

async function planned({
  pipeline = early(GATE),
  job,
  slice,
}: { pipeline?: object; job?: object; slice?: string } = {}) {
  const store = await frozenDrop({ pipeline, job, files: FILES });
  if (slice !== undefined) {
    const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as object;
    const manifestSlices = [{ object: slice, through: '~' }];
    store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, manifestSlices }));
  }
  await withProblemLines(planRun({ run: PARTS }, { store, clock, settings: SETTINGS }));
  return store;
}

test.each([
  ['a sample', early(GATE, { sample: { inputs: 50 } }), 'gate.decide must be "all" along with a sample'],
  [
    'no bound',
    early({ maxErrorRate: 0.1 }),
    'gate.decide must be "all" without gate.minAccuracy, gate.maxAccuracyDrop, gate.minRecall and gate.slices',
  ],
  [
    'slices that no round may have drawn',
    early({ ...GATE, slices: { '*': { minAccuracy: 0.5 } } }, SITES),
    'gate.decide must be "all" with gate.slices["*"], which bounds slices that no round may have drawn yet',
  ],
  [
    'more classes than rounds can decide',
    early(
      { minRecall: 0.5 },
      { labels: { ...early(GATE).labels, classes: Array.from({ length: 65 }, (_, at) => `class ${at}`) } },
    ),
    'bound more than 64 classes and slices, here 65',
  ],
  [
    'classes of inputs in groups',
    early({ minRecall: 0.5 }, { report: { clusters: { from: 'folder', level: 1 } } }),
    'gate.decide must be "all" with gate.minRecall or gate.slices along with report.clusters',
  ],
  [
    'classes by a pattern that takes too long for all names',
    early(
      { minRecall: 0.5 },
      { labels: { ...early(GATE).labels, truth: { from: 'key', pattern: '(?i)(circle|square)(?:/)' } } },
    ),
    'gate.decide must be "all" with gate.minRecall where labels.truth has a pattern that only RE2 reads',
  ],
  ['no labels', early(GATE, { labels: PIPELINE.labels }), 'gate.decide must be "all" without labels.truth'],
  [
    'files with many records',
    early(GATE, { transform: { contentType: 'text/csv' } }),
    'gate.decide must be "all" where an input may hold many records',
  ],
  [
    'no confidence',
    early({ ...GATE, confidence: null }),
    'gate.decide must be "all" where gate.confidence is null',
  ],
])('an early decision is refused with %s', async (_what, pipeline, message) => {
  await expect(planned({ pipeline })).rejects.toThrow(message);
});

test('it is as strict as what acts by itself, unless pipeline.json says otherwise', async () => {
  const { decide } = early(GATE).gate;
  const store = await planned({ pipeline: { ...early(GATE), gate: { decide, ...GATE } } });
  expect(planOf(store).gate).toEqual({
    decide: 'early',
    minAccuracy: 0.9,
    minInputs: 30,
    minLabeled: 0.9,
    confidence: 0.95,
  });
});

test('a drop may not have itself judged early, but may have itself judged whole, as strictly', async () => {
  const whole = { ...early(GATE), gate: GATE };
  await expect(planned({ pipeline: whole, job: { gate: { decide: 'early' } } })).rejects.toThrow(
    'gate.decide must be "all", as in pipeline.json, is "early"',
  );
  const pipeline = { ...early(GATE), gate: { decide: 'early', ...GATE } };
  const store = await planned({ pipeline, job: { gate: { decide: 'all' } } });
  expect(planOf(store)).toMatchObject({
    rounds: null,
    sample: null,
    objects: 600,
    gate: { decide: 'all', minInputs: 30, confidence: 0.95 },
  });
  await expect(planned({ job: { sample: { inputs: 50 } } })).rejects.toThrow('along with a sample');
});

test('a rerun draws the same first round, and the names of files do not tell which it is', async () => {
  const store = await planned({ slice: 'one' });
  const first = drawn(store);
  const rerun = aRun(`${RUN}r2`);
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as object;
  store.put(bucketLayout.frozen(rerun), JSON.stringify({ ...frozen, origin: { mode: 'rerun', of: RUN } }));
  store.put(bucketLayout.manifest(rerun), store.text(bucketLayout.manifest(PARTS))!);
  await planRun({ run: rerun }, { store, clock, settings: SETTINGS });
  expect(drawn(store, rerun)).toEqual(first);
  expect(drawn(await planned({ slice: 'two' }))).not.toEqual(first);
});

test('the day must have room for all rounds', async () => {
  const store = await planned();
  const { cost } = planOf(store);
  // One round is quoted at less, all of them at more.
  const maxCostUsdPerDay = cost.quoteUsd! * 2;
  await expect(planned({ pipeline: early(GATE, { limits: { maxCostUsdPerDay } }) })).rejects.toThrow(
    'limits.maxCostUsdPerDay',
  );
});

test('the most that all rounds may cost has the copies of tars in it, as the first round has', async () => {
  const members = Object.keys(images(6_000, 5_700)).map((name) => [name, 'an image'] as const);
  const store = await frozenFiles({ 'a.tar': await packedTar(members) }, { pipeline: early(GATE) });
  await planWithTars(store);
  const { cost, notes } = planOf(store);
  const [, most] = /: at \$([\d.]+) at most$/.exec(notes.find((note) => note.startsWith('gate.decide'))!)!;
  expect(cost.quoteUsd).toBeGreaterThan(0.03);
  expect(Number(most)).toBeGreaterThan(cost.quoteUsd!);
  const maxCostUsdPerDay = cost.quoteUsd!;
  const limited = await frozenFiles(
    { 'a.tar': await packedTar(members) },
    { pipeline: early(GATE, { limits: { maxCostUsdPerDay } }) },
  );
  await expect(withProblemLines(planWithTars(limited))).rejects.toThrow('limits.maxCostUsdPerDay');
});

test('bounds of classes have the counts of all labels in the plan, without copies, and none are read without them', async () => {
  const { rounds } = planOf(await planned({ pipeline: early({ minRecall: 0.5 }) }));
  expect(rounds!.labels).toEqual([
    { label: 'circle', of: 570 },
    { label: 'square', of: 30 },
  ]);
  expect(planOf(await planned()).rounds!.labels).toEqual([]);
});
