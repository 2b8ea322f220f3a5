import { beforeEach, expect, test } from 'vitest';
import { api } from '../../../src/app/api/api.ts';
import { writeTrainingReport } from '../../../src/app/training/write-training-report.ts';
import { NOW } from '../../support/drop-fixture.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { trainedDrop, TRAINING, TRAINING_PARTS } from '../../support/training-fixture.ts';

let store: MemoryObjectStore;
beforeEach(async () => {
  store = await trainedDrop();
});

const call = async (routeKey: string, pathParameters: Record<string, string>, body?: string, claim = '') => {
  const request = {
    version: '2.0' as const,
    routeKey,
    rawPath: '',
    rawQueryString: '',
    headers: {},
    pathParameters,
    queryStringParameters: {},
    requestContext: {},
    isBase64Encoded: false,
    ...(body !== undefined && { body }),
  };
  const links = (key: string) => Promise.resolve(`https://link/${key}`);
  const services = { store, links, linkSeconds: 60, clock: () => NOW, pipelinesClaim: claim };
  const { statusCode, body: text } = await api(request, services);
  return { statusCode, answer: JSON.parse(text) as object };
};
const train = (body?: string, pipeline = 'shapes') =>
  call('POST /pipelines/{pipeline}/trainings', { pipeline }, body);
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
  expect((await train('')).answer).toMatchObject({ data: 's3://bucket/training/shapes/tuesday/' });
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

test('trainings are listed and described like runs', async () => {
  await report();
  const list = await call('GET /pipelines/{pipeline}/trainings', { pipeline: 'shapes' });
  expect(list.answer).toMatchObject({
    trainings: [{ training: TRAINING, status: 'completed', files: 2, gate: 'none' }],
  });
  const path = { pipeline: 'shapes', drop: 'tuesday', generation: '000001' };
  const one = await call('GET /trainings/{pipeline}/{drop}/{generation}', path);
  expect(one.answer).toMatchObject({
    training: TRAINING,
    status: 'completed',
    promotion: null,
    links: { 'report.html': expect.stringContaining('report.html'), 'summary.md': expect.any(String) },
  });
  const other = call('GET /trainings/{pipeline}/{drop}/{generation}', { ...path, generation: '000002' });
  await expect(other).rejects.toMatchObject({ kind: 'unknown-training' });
  const closed = call('GET /pipelines/{pipeline}/trainings', { pipeline: 'shapes' }, undefined, 'pipelines');
  await expect(closed).rejects.toMatchObject({ kind: 'pipeline-not-opened' });
});
