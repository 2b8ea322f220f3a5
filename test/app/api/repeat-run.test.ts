import { beforeEach, expect, test } from 'vitest';
import { api } from '../../../src/app/api/api.ts';
import { apiStart } from '../../../src/app/api/api-start.ts';
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
});

test('ten equal requests at once, and one after them, start one run', async () => {
  const executions = memoryExecutions();
  const answers = await Promise.all(Array.from({ length: 10 }, () => rescore(PATH, undefined, executions)));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(9).fill(200), 202]);
  for (const { answer } of answers) expect(answer).toEqual({ run: `${RUN}s1` });
  await markEnded(store, aRun(`${RUN}s1`), 'completed', NOW);
  store.put(bucketLayout.reportJson(aRun(`${RUN}s1`)), '{}');
  const { statusCode, answer } = await rescore({ ...PATH, generation: '000001s1' }, undefined, executions);
  expect([statusCode, answer]).toEqual([200, { run: `${RUN}s1` }]);
  expect(executions.all).toHaveLength(1);
});

test('a run that has predicted all of its inputs has nothing to continue', async () => {
  await expect(
    callRoute(store, 'POST /runs/{pipeline}/{drop}/{generation}/continuations', { path: PATH }),
  ).rejects.toMatchObject({
    kind: 'nothing-to-continue',
    message: expect.stringContaining('has predicted all of its inputs'),
  });
});

test('the function that reads starts nothing, and the one that starts reads nothing', async () => {
  const asked = {
    version: '2.0' as const,
    rawPath: '',
    rawQueryString: '',
    headers: {},
    pathParameters: PATH,
  };
  const request = {
    ...asked,
    queryStringParameters: {},
    isBase64Encoded: false,
    requestContext: { authorizer: { jwt: { claims: {} } } },
  };
  const services = { store, clock: () => NOW, executions: () => memoryExecutions() };
  const reading = { ...services, links: () => Promise.resolve(''), linkSeconds: 1, pipelinesClaim: '' };
  await expect(api({ ...request, routeKey: ROUTE }, reading)).rejects.toMatchObject({
    kind: 'unknown-route',
  });
  await expect(apiStart({ ...request, routeKey: 'GET /pipelines' }, services)).rejects.toMatchObject({
    kind: 'unknown-route',
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
