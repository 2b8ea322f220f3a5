import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { findBaseline } from '../../../src/app/plan/read/find-baseline.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { toAbandoned } from '../../../src/drop/frozen.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId, type RunParts, toRunId } from '../../../src/run/run-id.ts';
import { reconciledRun, RUN, runKeys } from '../../support/report-run.ts';
import { runSummary } from '../../support/run-summary.ts';

const BASELINE = 'shapes/friday/000001';
const clock = () => new Date('2026-11-21T10:05:00.000Z');
const FROZEN = toAbandoned('died', { bucket: 'bucket', prefix: 'incoming/shapes/friday/' }, clock());
const circle = JSON.stringify({ predictions: [[0.8, 0.1, 0.1]] });

test('"last-passed" is the newest run whose gate passed and whose rows are still there', async () => {
  const { store } = reconciledRun([{ name: '1-circle.png', output: circle }], { run: BASELINE });
  const run = runKeys();
  const entry = (name: string, gate: string, at: number) => {
    const summary = runSummary({ run: name, endedAt: '2026-11-20T10:00:00.000Z', gate });
    store.put(`index/shapes/${at}-x.json`, summary);
  };
  const ask = () => findBaseline(store, run, 'last-passed');
  expect(await ask()).toEqual({
    baseline: { asked: 'last-passed', run: null },
    notes: [
      'report.baseline: no earlier run of this pipeline passed its gate, so there is nothing to compare with',
    ],
    problems: [],
  });
  await foldPredictions(
    { run: runKeys(BASELINE), shard: 0, start: 0, end: 10_000, inputs: 1 },
    { store, imageFacts, clock: () => new Date(0) },
  );
  entry(RUN, 'passed', 1);
  entry('shapes/sunday/000001', 'failed', 2);
  entry('shapes/saturday/000001', 'passed', 3);
  entry(BASELINE, 'passed', 4);
  // The asking run itself, and one whose gate failed, have predictions, too.
  for (const name of [RUN, 'shapes/sunday/000001'])
    for (const keyOf of [bucketLayout.plan, bucketLayout.shards, (of: RunParts) => bucketLayout.rows(of, 0)])
      store.put(keyOf(runKeys(name)), store.text(keyOf(runKeys(BASELINE)))!);
  expect(await ask()).toEqual({
    baseline: { asked: 'last-passed', run: BASELINE },
    notes: [`report.baseline: the last run that passed its gate is ${BASELINE}`],
    problems: [],
  });
  expect(await findBaseline(store, run, null)).toEqual({ baseline: null, notes: [], problems: [] });
  expect(await findBaseline(store, run, BASELINE)).toEqual({
    baseline: { asked: BASELINE, run: BASELINE },
    notes: [],
    problems: [],
  });
  const training = parseRunId('shapes/training/000001')!;
  const candidate = { sha256: 'a'.repeat(64), training: toRunId(training), baseline: null, maxCostUsd: null };
  const frozen = { ...FROZEN, candidate };
  store.put(bucketLayout.frozen(parseRunId(BASELINE)!), JSON.stringify(frozen));
  expect((await ask()).baseline).toEqual({ asked: 'last-passed', run: null });
  const promotion = { schema: 1, promotion: 'promoted', reason: '', candidateRun: BASELINE, by: 'gate' };
  const promoted = { ...promotion, sha256: candidate.sha256, at: clock().toISOString(), replacedEtag: null };
  store.put(bucketLayout.promotion(training), JSON.stringify({ ...promoted, promotion: 'asked' }));
  expect((await ask()).baseline).toEqual({ asked: 'last-passed', run: null });
  store.put(bucketLayout.promotion(training), JSON.stringify({ ...promoted, sha256: 'b'.repeat(64) }));
  expect((await ask()).baseline).toEqual({ asked: 'last-passed', run: null });
  store.put(bucketLayout.promotion(training), JSON.stringify(promoted));
  expect((await ask()).baseline).toEqual({ asked: 'last-passed', run: BASELINE });
  const plan = bucketLayout.plan(parseRunId(BASELINE)!);
  store.put(
    plan,
    JSON.stringify({ ...JSON.parse(store.text(plan)!), judgedByDrop: ['labels.classes', 'labels.truth'] }),
  );
  expect((await ask()).baseline).toEqual({ asked: 'last-passed', run: null });
  expect((await findBaseline(store, run, BASELINE)).problems[0]?.message).toContain(
    'names a run with a job.json that sets labels.classes, labels.truth:',
  );
});

test('a named baseline must be another run with predictions', async () => {
  const { store } = reconciledRun([{ name: '1-circle.png', output: circle }]);
  const problem = async (asked: string) => {
    const { baseline, notes, problems } = await findBaseline(store, runKeys(), asked);
    const [found] = problems;
    expect([baseline, notes, found]).toMatchObject([
      null,
      [],
      { file: 'pipeline.json', field: 'report.baseline', value: JSON.stringify(asked) },
    ]);
    return found?.message;
  };
  expect(await problem('shapes/friday/000001')).toContain('names a run that left no predictions');
  expect(await problem(RUN)).toContain('must name another run');
  expect(await problem('Shapes/friday/000001')).toContain('must be "last-passed" or a run');
});
