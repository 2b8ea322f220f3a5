import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { callRoute, LINK_SECONDS } from '../../support/call-route.ts';
import { NOW } from '../../support/drop-fixture.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';
import { reportFigures } from '../../support/report-figures.ts';
import { servedVariant } from '../../support/served-variant.ts';

const RUN = 'cats/monday/000001';
const PARTS = parseRunId(RUN)!;
const DESCRIBE = 'GET /runs/{pipeline}/{drop}/{generation}';
const PATH = { pipeline: 'cats', drop: 'monday', generation: '000001' };

let store: MemoryObjectStore;
beforeEach(() => {
  store = memoryObjectStore();
});

/** Writes the index's line of a run that ended `minute` minutes after the first. */
function endRun(run: string, minute: number) {
  const line = {
    run,
    status: 'completed',
    endedAt: new Date(NOW.getTime() + minute * 60_000).toISOString(),
    total: 2,
    correct: 1,
    accuracy: 0.5,
    costUsd: 0.1,
    gate: 'passed',
    rescoreOf: null,
    sampleOf: null,
    labeled: 2,
    seconds: 1.5,
  };
  const at = new Date(NOW.getTime() + minute * 60_000);
  store.put(bucketLayout.indexEntry(parseRunId(run)!, at), JSON.stringify({ schema: 1, ...line }));
  return line;
}

test('GET /pipelines: those that the token opens, with what serves them', async () => {
  for (const pipeline of ['cats', 'dogs', 'mice', 'owls'])
    store.put(bucketLayout.pipelineConfig(pipeline), '{}');
  const served = {
    schema: 1,
    endpointName: 'e',
    expiresAt: null,
    idleHours: null,
    owner: null,
    warnedAt: null,
    warnedOf: null,
    hourlyUsd: null,
    maxHourlyUsd: null,
    deployedAt: NOW.toISOString(),
    autoscaling: null,
  };
  const variant = servedVariant({ run: RUN, deployedBy: RUN });
  const serve = (pipeline: string, facts: object) =>
    store.put(bucketLayout.served(pipeline), JSON.stringify({ ...served, pipeline, ...facts }));
  serve('cats', { status: 'in-service', live: 'v', variants: { v: variant } });
  serve('dogs', { status: 'creating', live: null, variants: { v: variant } });
  const claims = { pipelines: 'cats dogs mice' };
  const about = { name: 'e', deployedAt: NOW.toISOString(), expiresAt: null };
  expect(await callRoute(store, 'GET /pipelines', { claim: 'pipelines', claims })).toEqual({
    statusCode: 200,
    answer: {
      pipelines: [
        {
          pipeline: 'cats',
          endpoint: { ...about, status: 'in-service', run: RUN, hardware: '1 × ml.m5.xlarge' },
        },
        { pipeline: 'dogs', endpoint: { ...about, status: 'creating', run: null, hardware: null } },
        { pipeline: 'mice', endpoint: null },
      ],
    },
  });
});

test('GET /runs: the newest first, 20 unless another limit is asked for', async () => {
  const lines = Array.from({ length: 25 }, (_, at) =>
    endRun(`cats/monday/${String(at + 1).padStart(6, '0')}`, at),
  ).reverse();
  const list = async (query: Record<string, string>) =>
    (await callRoute(store, 'GET /runs', { query: { pipeline: 'cats', ...query } })).answer;
  expect(await list({})).toEqual({ runs: lines.slice(0, 20) });
  expect(await list({ limit: '1' })).toEqual({ runs: lines.slice(0, 1) });
  expect(await list({ limit: '100' })).toEqual({ runs: lines });
});

test.each<[Record<string, string>, string]>([
  [{}, 'pipeline must name a pipeline'],
  [{ pipeline: 'UPPER' }, 'pipeline must name a pipeline'],
  ...['0', '101', '1e1', '-1', '', ' 5', '5 ', '0x5', '1000'].map(
    (limit): [Record<string, string>, string] => [
      { pipeline: 'cats', limit },
      `limit must be 1..100, is ${JSON.stringify(limit)}`,
    ],
  ),
])('GET /runs with %j is refused', async (query, message) => {
  await expect(callRoute(store, 'GET /runs', { query })).rejects.toMatchObject({
    kind: 'invalid-request',
    message: expect.stringContaining(message),
  });
});

test('a run that has ended is described with links to the files that it has, and how long they work', async () => {
  const figures = { status: 'failed', total: 3, correct: null, errors: 2, accuracy: null, costUsd: 0.5 };
  const gate = { verdict: 'failed', explanation: 'too bad', isSet: true };
  store.put(bucketLayout.reportJson(PARTS), reportFigures({ ...figures, gate }));
  const files = ['report.html', 'confusion-matrix.svg', 'errors.csv', 'receipt.json'];
  for (const name of files.slice(1)) store.put(`runs/${RUN}/${name}`);
  const { answer } = await callRoute(store, DESCRIBE, { path: PATH });
  expect(answer).toMatchObject({
    run: RUN,
    ...figures,
    gate: 'failed',
    linksExpireAt: new Date(NOW.getTime() + LINK_SECONDS * 1000).toISOString(),
  });
  expect(answer).toHaveProperty(
    'links',
    Object.fromEntries(
      ['report.json', ...files.slice(1)].map((name) => [name, `https://link/runs/${RUN}/${name}`]),
    ),
  );
  store.put(`runs/${RUN}/report.html`);
  expect((await callRoute(store, DESCRIBE, { path: PATH })).answer).toHaveProperty(['links', 'report.html']);
});

test('a run without a report is under way if its drop has begun to freeze', async () => {
  await expect(callRoute(store, DESCRIBE, { path: PATH })).rejects.toMatchObject({
    kind: 'unknown-run',
    message: `run ${RUN} does not exist, or still waits for its drop to become quiet`,
  });
  store.put(bucketLayout.freezing(PARTS));
  expect((await callRoute(store, DESCRIBE, { path: PATH })).answer).toEqual({
    run: RUN,
    status: 'running',
    total: null,
    correct: null,
    errors: null,
    accuracy: null,
    costUsd: null,
    gate: null,
    links: {},
    linksExpireAt: null,
  });
});

test.each([
  [{}],
  [{ ...PATH, generation: '1' }],
  // Longer than a key of S3 can be.
  [{ ...PATH, drop: 'd'.repeat(1024) }],
  // Both name the training "training/cats/monday/000001", of which this route knows nothing.
  [{ ...PATH, pipeline: 'training/cats' }],
  [{ ...PATH, pipeline: 'training', drop: 'cats/monday' }],
])('the path %j names no run, and nothing is read for it', async (path: Record<string, string>) => {
  await expect(callRoute(store, DESCRIBE, { path })).rejects.toMatchObject({
    kind: 'unknown-run',
    message: 'the path must be /runs/<pipeline>/<drop>/<generation> of a run that exists',
  });
  expect(store.requests).toEqual([]);
});

test.each([
  ['GET /runs', { query: { pipeline: 'cats' } }],
  [DESCRIBE, { path: PATH }],
])('%s answers for the pipelines of the token alone', async (route, request) => {
  store.put(bucketLayout.freezing(PARTS));
  const asked = (pipelines: string) =>
    callRoute(store, route, { ...request, claim: 'pipelines', claims: { pipelines } });
  await expect(asked('dogs')).rejects.toMatchObject({ kind: 'pipeline-not-opened' });
  expect(await asked('cats')).toMatchObject({ statusCode: 200 });
});

test('GET /openapi.json: the document; any other route is refused by its name', async () => {
  expect((await callRoute(store, 'GET /openapi.json')).answer).toEqual(
    JSON.parse(readFileSync('docs/openapi.json', 'utf8')),
  );
  await expect(callRoute(store, 'GET /secrets')).rejects.toMatchObject({
    kind: 'unknown-route',
    message: 'GET /secrets is not a route of this API',
  });
});
