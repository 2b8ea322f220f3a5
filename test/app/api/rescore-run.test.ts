import { beforeEach, expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { markEnded } from '../../../src/app/records/run.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { callRoute } from '../../support/call-route.ts';
import { frozenDrop, NOW, PARTS, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';

const PATH = { pipeline: 'shapes', drop: 'monday', generation: '000001' };
const ROUTE = 'POST /runs/{pipeline}/{drop}/{generation}/rescores';
const ANSWER = `${bucketLayout.predictions(PARTS)}a.png.out`;

let store: MemoryObjectStore;
beforeEach(async () => {
  store = await frozenDrop();
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  store.put(ANSWER, '{"predictions": [[0.9, 0.1]]}');
  store.put(bucketLayout.reportJson(PARTS), '{}');
  await markEnded(store, PARTS, 'completed', NOW);
});

const rescore = (path: Record<string, string> = PATH, body?: string, executions = memoryExecutions()) =>
  callRoute(store, ROUTE, { path, executions, ...(body !== undefined && { body }) });

test('the answer names the run that scores the predictions again, which has started', async () => {
  const executions = memoryExecutions();
  const { statusCode, answer } = await rescore(PATH, undefined, executions);
  expect([statusCode, answer]).toEqual([202, { run: `${RUN}s1` }]);
  expect(executions.all).toHaveLength(1);
  expect(JSON.parse(store.text('state/shapes/monday/000001s1/frozen.json')!)).toMatchObject({
    origin: { mode: 'rescore', of: RUN },
  });
  await markEnded(store, aRun(`${RUN}s1`), 'completed', NOW);
  expect((await rescore({ ...PATH, generation: '000001s1' }, undefined, executions)).answer).toEqual({
    run: `${RUN}s2`,
  });
});

test('a run without a sign of its end goes on, and one without files does not exist', async () => {
  store.remove(bucketLayout.ended(PARTS));
  await expect(rescore()).rejects.toMatchObject({
    kind: 'run-under-way',
    message: expect.stringContaining('is still running'),
  });
  store.remove(bucketLayout.frozen(PARTS));
  await expect(rescore()).rejects.toMatchObject({
    kind: 'unknown-run',
    message: expect.stringContaining('has not frozen its files'),
  });
});

test('expired predictions are gone, with the date', async () => {
  for (const key of store.keys(bucketLayout.run(PARTS))) store.remove(key);
  await expect(rescore()).rejects.toMatchObject({
    kind: 'predictions-expired',
    message: expect.stringContaining('which ended on 2026-03-01, have expired'),
  });
});

test('a run that was refused has no predictions', async () => {
  store.remove(bucketLayout.plan(PARTS));
  await expect(rescore()).rejects.toMatchObject({ kind: 'nothing-to-rescore' });
});

test.each([
  [{}],
  [{ ...PATH, generation: '1' }],
  [{ ...PATH, pipeline: 'UPPER' }],
  [{ ...PATH, drop: 'd'.repeat(1024) }],
  [{ ...PATH, pipeline: 'training/shapes' }],
  [{ ...PATH, pipeline: 'training', drop: 'shapes/monday' }],
])('the path %j is a bad request, and nothing is read for it', async (path: Record<string, string>) => {
  const before = store.requests.length;
  await expect(rescore(path)).rejects.toMatchObject({
    kind: 'invalid-request',
    message: expect.stringContaining('the path must be /runs/'),
  });
  expect(store.requests).toHaveLength(before);
});

test('a body is refused, since nothing of it would be used', async () => {
  await expect(rescore(PATH, '{"labels": "a.csv"}')).rejects.toMatchObject({
    kind: 'invalid-request',
    message: expect.stringContaining('the request must have no body'),
  });
});
