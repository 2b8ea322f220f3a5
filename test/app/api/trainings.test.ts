import { beforeEach, expect, test } from 'vitest';
import { writeTrainingReport } from '../../../src/app/training/write-training-report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { callRoute, LINK_SECONDS } from '../../support/call-route.ts';
import { NOW } from '../../support/drop-fixture.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { trainedDrop, TRAINING, TRAINING_PARTS } from '../../support/training-fixture.ts';

let store: MemoryObjectStore;
beforeEach(async () => {
  store = await trainedDrop();
});

const LIST = 'GET /pipelines/{pipeline}/trainings';
const DESCRIBE = 'GET /trainings/{pipeline}/{drop}/{generation}';
const PATH = { pipeline: 'shapes', drop: 'tuesday', generation: '000001' };

const train = (body?: string, pipeline = 'shapes') =>
  callRoute(store, 'POST /pipelines/{pipeline}/trainings', {
    path: { pipeline },
    ...(body !== undefined && { body }),
  });
const report = () =>
  writeTrainingReport({ run: TRAINING_PARTS, startedAt: NOW.toISOString() }, { store, clock: () => NOW });

test('a request opens a drop of its own', async () => {
  const data = 's3://bucket/shared/shapes/';
  const asked = await train(JSON.stringify({ data, hyperparameters: { epochs: 3, backend: 'gloo' } }));
  const training = 'training/shapes/20260301-120000-000/000001';
  expect(asked).toEqual({ statusCode: 202, answer: { training, data } });
  expect(JSON.parse(store.text('training/shapes/20260301-120000-000/job.json')!)).toEqual({
    input: { s3Prefix: data },
    hyperparameters: { epochs: 3, backend: 'gloo' },
  });
});

test('without data the newest training is repeated', async () => {
  await expect(train()).rejects.toMatchObject({ kind: 'no-data' });
  await report();
  expect((await train(' \n')).answer).toMatchObject({ data: 's3://bucket/training/shapes/tuesday/' });
});

test.each([
  ['{"data": "/etc"}', 'shapes', 'invalid-request'],
  ['{"instances": 9}', 'shapes', 'invalid-request'],
  ['no json', 'shapes', 'invalid-request'],
  ['{"data": "s3://b/p/"}', 'circles', 'unknown-pipeline'],
  ['{"data": "s3://b/p/"}', '../shapes', 'unknown-pipeline'],
  [' '.repeat(600_000), 'shapes', 'body-too-large'],
])('%s of %s is refused', async (body, pipeline, kind) => {
  const before = store.keys();
  await expect(train(body, pipeline)).rejects.toMatchObject({ kind });
  expect(store.keys()).toEqual(before);
});

test('what is wrong with a request is said field by field', async () => {
  await expect(train('{"data": "/etc", "hyperparameters": {"epochs": null}}')).rejects.toMatchObject({
    message: expect.stringMatching(/^data: .*; hyperparameters\.epochs: /),
  });
  await expect(train('7')).rejects.toMatchObject({ message: expect.stringMatching(/^body: /) });
});

test('trainings are listed, newest first, and described like runs', async () => {
  await report();
  const { answer } = await callRoute(store, LIST, { path: PATH });
  const figures = { status: 'completed', costUsd: 0.05, accuracy: null, gate: 'none' };
  expect(answer).toEqual({
    trainings: [{ training: TRAINING, files: 2, endedAt: NOW.toISOString(), ...figures }],
  });
  expect((await callRoute(store, DESCRIBE, { path: PATH })).answer).toEqual({
    training: TRAINING,
    status: 'completed',
    costUsd: 0.05,
    gate: null,
    accuracy: null,
    promotion: null,
    modelSha256: null,
    links: Object.fromEntries(
      ['report.html', 'report.json', 'summary.md'].map((name) => [
        name,
        `https://link/runs/${TRAINING}/${name}`,
      ]),
    ),
    linksExpireAt: new Date(NOW.getTime() + LINK_SECONDS * 1000).toISOString(),
  });
});

test('a training is described with its evaluation, promotion and model', async () => {
  const figures = {
    status: 'completed',
    costUsd: 1,
    evaluation: { verdict: 'passed', accuracy: 0.9 },
    promotion: { promotion: 'promoted', reason: 'the gate passed' },
    lineage: { model: { sha256: 'a' } },
  };
  store.put(bucketLayout.reportJson(TRAINING_PARTS), JSON.stringify(figures));
  expect((await callRoute(store, DESCRIBE, { path: PATH })).answer).toMatchObject({
    gate: 'passed',
    accuracy: 0.9,
    promotion: 'promoted',
    modelSha256: 'a',
    links: { 'report.json': expect.any(String) },
  });
});

test('a training without a report runs if its drop has begun to freeze', async () => {
  await expect(callRoute(store, DESCRIBE, { path: PATH })).rejects.toMatchObject({
    kind: 'unknown-training',
    message: `${TRAINING} does not exist, or still waits for its drop to become quiet`,
  });
  store.put(bucketLayout.freezing(TRAINING_PARTS));
  expect((await callRoute(store, DESCRIBE, { path: PATH })).answer).toEqual({
    training: TRAINING,
    status: 'running',
    costUsd: null,
    gate: null,
    accuracy: null,
    promotion: null,
    modelSha256: null,
    links: {},
    linksExpireAt: null,
  });
});

test.each([{ pipeline: 'UPPER' }, { drop: '' }, { generation: '1' }, { drop: 'd'.repeat(1024) }, {}])(
  'a path with %j names no training, and nothing is read for it',
  async (part) => {
    const path: Record<string, string> = Object.keys(part).length === 0 ? {} : { ...PATH, ...part };
    const before = store.requests.length;
    await expect(callRoute(store, DESCRIBE, { path })).rejects.toMatchObject({
      kind: 'unknown-training',
      message: 'the path must be /trainings/<pipeline>/<drop>/<generation> of a training that exists',
    });
    expect(store.requests).toHaveLength(before);
  },
);

test('trainings are not listed for a name that no pipeline has, and are listed up to the limit', async () => {
  await expect(callRoute(store, LIST, { path: { pipeline: '..' } })).rejects.toMatchObject({
    kind: 'invalid-request',
  });
  await expect(callRoute(store, LIST, { path: PATH, query: { limit: '101' } })).rejects.toMatchObject({
    kind: 'invalid-request',
  });
});

test.each([LIST, DESCRIBE])('%s answers for the pipelines of the token alone', async (route) => {
  await report();
  const request = { path: PATH, claim: 'pipelines' };
  await expect(callRoute(store, route, { ...request, claims: { pipelines: 'cats' } })).rejects.toMatchObject({
    kind: 'pipeline-not-opened',
  });
  expect(await callRoute(store, route, { ...request, claims: { pipelines: 'shapes' } })).toMatchObject({
    statusCode: 200,
  });
});
