import { expect, test } from 'vitest';
import { freezeOnce } from '../../../src/app/records/drop.ts';
import { findOpenGeneration } from '../../../src/app/run/list-drop-state.ts';
import { newestTrainingData, requestName, requestTraining } from '../../../src/app/run/request-training.ts';
import { toAbandoned } from '../../../src/drop/frozen.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { aDrop } from '../../support/a-run.ts';
import { NOW } from '../../support/drop-fixture.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { runSummary } from '../../support/run-summary.ts';
import { putManifest } from '../../support/training-fixture.ts';

const DROP = aDrop('training/shapes/asked');
const RUN = { ...DROP, generation: '000001' };

test('a request is what a person would write into the drop', async () => {
  const store = memoryObjectStore();
  const asked = { data: 's3://bucket/shared/shapes/', hyperparameters: { epochs: 3 } };
  await requestTraining(store, RUN, asked);
  expect(store.keys()).toEqual(['training/shapes/asked/_READY', 'training/shapes/asked/job.json']);
  expect(JSON.parse(store.text('training/shapes/asked/job.json')!)).toEqual({
    input: { s3Prefix: 's3://bucket/shared/shapes/' },
    hyperparameters: { epochs: 3 },
  });
});

test.each([
  [
    'data alone',
    { data: 's3://bucket/shared/', hyperparameters: {} },
    { input: { s3Prefix: 's3://bucket/shared/' } },
  ],
  ['hyperparameters alone', { hyperparameters: { epochs: 3 } }, { hyperparameters: { epochs: 3 } }],
])('job.json of a request with %s has nothing else', async (_what, asked, written) => {
  const store = memoryObjectStore();
  await requestTraining(store, RUN, asked);
  expect(JSON.parse(store.text('training/shapes/asked/job.json')!)).toEqual(written);
});

test('a drop that has its files needs no job.json', async () => {
  const store = memoryObjectStore();
  await requestTraining(store, RUN, { hyperparameters: {} });
  expect(store.keys('training/')).toEqual(['training/shapes/asked/_READY']);
});

test('what is uploaded now belongs to the first generation that has not begun to freeze', async () => {
  const store = memoryObjectStore();
  expect(await findOpenGeneration(store, DROP)).toBe('000001');
  store.put(bucketLayout.freezing(RUN));
  expect(await findOpenGeneration(store, DROP)).toBe('000002');
});

test('a run that was canceled before it began to freeze takes nothing', async () => {
  const store = memoryObjectStore();
  const source = { bucket: store.bucket, prefix: 'training/shapes/asked/' };
  await freezeOnce(store, RUN, toAbandoned('canceled', source, NOW));
  expect(await findOpenGeneration(store, DROP)).toBe('000002');
});

test('without data the newest training that had some is repeated', async () => {
  const store = memoryObjectStore();
  expect(await newestTrainingData(store, 'shapes')).toBeUndefined();
  const ended = (run: string, minute: number) => {
    const at = new Date(NOW.getTime() + minute * 60_000);
    const line = runSummary({ run, endedAt: NOW.toISOString() });
    store.put(bucketLayout.indexEntry(parseRunId(run)!, at), line);
  };
  putManifest(store, 'training/shapes/old/000001', 'training/shapes/old/', { a: 'a' });
  putManifest(store, 'training/shapes/new/000001', 'shared/shapes/', { a: 'a' });
  ended('training/shapes/old/000001', 1);
  ended('training/shapes/new/000001', 2);
  ended('training/shapes/refused/000001', 3);
  const source = { bucket: store.bucket, prefix: 'training/shapes/canceled/' };
  const canceled = { ...RUN, drop: 'canceled' };
  await freezeOnce(store, canceled, toAbandoned('canceled', source, NOW));
  ended('training/shapes/canceled/000001', 4);
  expect(await newestTrainingData(store, 'shapes')).toBe('s3://bucket/shared/shapes/');
});

test('drops of requests are named for their time', () => {
  expect(requestName(new Date('2026-03-01T12:05:06.007Z'))).toBe('20260301-120506-007');
});
