import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { replay } from '../../../src/app/run/replay.ts';
import { rerun } from '../../../src/app/run/rerun.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { planned, PREFIX } from '../../support/drive-transform.ts';
import { type DropFixture, NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';

/** A run that has its predictions. */
async function ended(fixture: DropFixture = {}) {
  const world = await planned(fixture);
  const executions = memoryExecutions({ clock: world.clock });
  world.store.put(bucketLayout.rows(PARTS, 0), 'rows');
  world.store.put(bucketLayout.model(world.plan.model.sha256), 'archive');
  return { ...world, services: { store: world.store, executions: () => executions }, executions };
}

test('a replay has the plan of its run, whatever pipeline.json says today', async () => {
  const { store, clock, plan, later, services, executions } = await ended({
    pipeline: {
      ...PIPELINE,
      endpoint: { deploy: 'when-gate-passes' },
      report: { topK: [2] },
      gate: { minAccuracy: 0.5 },
    },
  });
  store.put(bucketLayout.pipelineConfig('shapes'), '{"model": "broken since"}');
  later(60);
  const { run } = await replay({ run: PARTS }, services);
  expect(run).toBe(`${RUN}r2`);
  expect(executions.all).toHaveLength(1);
  const parts = parseRunId(run)!;
  await expect(
    planRun({ run: parseRunId(run)! }, { store, clock, settings: SETTINGS }),
  ).resolves.toMatchObject({
    jobs: 1,
    deploy: 'never',
  });
  const again = Plan.parse(JSON.parse(store.text(bucketLayout.plan(parts))!));
  expect(again.report).toEqual({ ...plan.report, baseline: { asked: 'replay', run: RUN } });
  for (const part of ['model', 'transform', 'labels', 'input', 'limits', 'objects'] as const)
    expect(again[part]).toEqual(plan[part]);
  expect(again.endpoint).toBeNull();
  expect(again.jobs[0]!.input).toBe(bucketLayout.partInput(parts, 1));
  expect(store.text(again.jobs[0]!.input)).toBe(store.text(plan.jobs[0]!.input));
});

test('a replay is refused with every input that is no longer the same object', async () => {
  const { store, services, executions } = await ended({ files: { 'a.png': 3, 'b.png': 4, 'c.png': 5 } });
  store.remove(`${PREFIX}a.png`);
  store.put(`${PREFIX}c.png`, 'other');
  store.put(`${PREFIX}d.png`, 'new ones do not count');
  await expect(replay({ run: PARTS }, services)).rejects.toMatchObject({
    name: 'ReplayRefused',
    message: `run ${RUN} cannot be repeated: 2 of its 3 inputs are no longer the same object`,
    changed: [
      { key: `${PREFIX}a.png`, change: 'deleted' },
      { key: `${PREFIX}c.png`, change: 'overwritten' },
    ],
  });
  expect(executions.all).toEqual([]);
});

test('a file that was uploaded once more as it was is another object', async () => {
  const time = { now: NOW };
  const { store, services, later } = await ended({ store: { clock: () => time.now } });
  time.now = later(1);
  store.put(`${PREFIX}a.png`, store.text(`${PREFIX}a.png`)!);
  await expect(replay({ run: PARTS }, services)).rejects.toMatchObject({
    changed: [{ key: `${PREFIX}a.png`, change: 'overwritten' }],
  });
});

test('many inputs are compared 10,000 at once; of those that changed all are counted, and 10,000 named', async () => {
  const { store, services } = await ended();
  const entry = { size: 1, etag: 'e', lastModified: NOW.toISOString() };
  const keys = Array.from({ length: 20_001 }, (_, at) => `${PREFIX}z${String(at).padStart(5, '0')}.png`);
  store.put(
    bucketLayout.manifest(PARTS),
    keys.map((key) => `${JSON.stringify({ key, ...entry })}\n`).join(''),
  );
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!);
  store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, objects: keys.length }));
  const listings = () => store.requests.filter(({ operation }) => operation === 'LIST').length;
  const before = listings();
  const refused = await replay({ run: PARTS }, services).catch((error: unknown) => error);
  expect(listings() - before).toBe(3);
  expect(refused).toMatchObject({
    message: `run ${RUN} cannot be repeated: 20,001 of its 20,001 inputs are no longer the same object`,
    changed: keys.slice(0, 10_000).map((key) => ({ key, change: 'deleted' })),
  });
});

test('a replay needs the archive of an endpoint, too, where that of the jobs opens bundles', async () => {
  const { store, plan, services } = await ended();
  const { artifact, artifactVersion, artifactEtag } = plan.model;
  const served = { artifact, artifactVersion, artifactEtag, sha256: 'e'.repeat(64) };
  store.put(bucketLayout.plan(PARTS), JSON.stringify({ ...plan, model: { ...plan.model, served } }));
  const key = bucketLayout.model(served.sha256);
  await expect(replay({ run: PARTS }, services)).rejects.toThrow(
    `s3://bucket/${key}, its model, is not there`,
  );
  store.put(key, 'archive');
  await expect(replay({ run: PARTS }, services)).resolves.toMatchObject({ outcome: 'started' });
});

test.each([
  [
    'archive',
    ({ model }: Plan) => bucketLayout.model(model.sha256),
    'its model, is not there any more; inferdrop rerun shapes/monday/000001 predicts with',
  ],
  ['predictions', () => bucketLayout.rows(PARTS, 0), 'must have predictions'],
  ['plan', () => bucketLayout.plan(PARTS), 'must have predictions'],
  ['manifest', () => bucketLayout.frozen(PARTS), 'must have predictions'],
])('a replay needs the %s of its run', async (_what, keyOf, message) => {
  const { store, plan, services, executions } = await ended();
  store.remove(keyOf(plan));
  await expect(replay({ run: PARTS }, services)).rejects.toMatchObject({
    name: 'ReplayRefused',
    message: expect.stringContaining(message),
    changed: [],
  });
  expect(executions.all).toEqual([]);
});

test('a run that never was cannot be replayed', async () => {
  const { services } = await ended();
  await expect(replay({ run: { ...PARTS, drop: 'never' } }, services)).rejects.toThrow(
    'must have predictions',
  );
});

test('a rerun of a replay is a rerun: pipeline.json counts again', async () => {
  const { store, services } = await ended();
  const { run } = await replay({ run: PARTS }, services);
  const again = await rerun({ run: parseRunId(run)! }, services);
  const frozen = (name: string) => JSON.parse(store.text(bucketLayout.frozen(parseRunId(name)!))!);
  expect(frozen(run).origin).toEqual({ mode: 'replay', of: RUN });
  expect(frozen(again.run).origin).toEqual({ mode: 'rerun', of: RUN });
});
