import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { registerModel } from '../../../src/app/training/register-model.ts';
import { contentDigest } from '../../../src/model/content-digest.ts';
import { tarFiles } from '../../../src/model/tar-files.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { pieces } from '../../support/pieces.ts';
import {
  digestOf,
  OUTPUT,
  trainedDrop,
  TRAINING_PARTS,
  type TrainingFixture,
  trainingPlan,
  UPLOADED,
} from '../../support/training-fixture.ts';

/** A pipeline whose inputs need no handler. */
const PLAIN = { transform: { contentType: 'text/csv' } };
const HANDLER = { 'train.py': 'import torch', 'inference.py': 'import own', 'own.py': 'a = 1' };

async function register(fixture: TrainingFixture) {
  const store = await trainedDrop(fixture);
  const answer = await registerModel({ run: TRAINING_PARTS }, { store });
  return { store, answer, registered: registered(store) };
}

const registered = (store: MemoryObjectStore) =>
  JSON.parse(store.text(bucketLayout.registered(TRAINING_PARTS))!) as object;

async function unpacked(store: MemoryObjectStore, sha256: string) {
  const files: Record<string, string> = {};
  const body = (await store.readStream(bucketLayout.model(sha256)))!;
  await pipeline(body, createGunzip(), async (tar: AsyncIterable<Uint8Array>) => {
    for await (const file of tarFiles(tar))
      files[file.name] = Buffer.from((await file.body.take(file.body.left))!).toString();
  });
  return files;
}

test('an archive that needs nothing beside it is kept as it is, by its digest', async () => {
  const archive = await modelArchive({ '1/saved_model.pb': 'graph' });
  const { store, answer, registered } = await register({ archive, pipeline: PLAIN });
  expect(answer).toEqual({ sha256: digestOf(archive), bytes: archive.length });
  expect(registered).toMatchObject({ content: await contentDigest(pieces(archive, 100)) });
  expect(await store.readBytes(bucketLayout.model(answer.sha256))).toEqual(new Uint8Array(archive));
  expect(registered).toMatchObject({
    addedCode: [],
    artifact: expect.stringMatching(/^s3:\/\/bucket\/runs\/.*model\.tar\.gz$/),
    job: 'inferdrop-shapes-tuesday-000001',
    changedInputs: { superseded: 0, deleted: 0 },
  });
});

describe('the code of the source', () => {
  test('is laid beside a model without a handler', async () => {
    const { store, answer, registered } = await register({ source: HANDLER });
    expect(await unpacked(store, answer.sha256)).toEqual({
      '1/saved_model.pb': 'graph',
      'code/train.py': 'import torch',
      'code/inference.py': 'import own',
      'code/own.py': 'a = 1',
    });
    const bytes = await store.readBytes(bucketLayout.model(answer.sha256));
    const addedCode = ['train.py', 'inference.py', 'own.py'];
    expect(registered).toMatchObject({ addedCode, bytes: bytes!.length });
    expect(digestOf(bytes!)).toBe(answer.sha256);
    expect(gunzipSync(bytes!).length % 512).toBe(0);
  });

  test('gives the same digest when the step is repeated', async () => {
    const { store, answer } = await register({ source: HANDLER });
    expect(await registerModel({ run: TRAINING_PARTS }, { store })).toEqual(answer);
    expect(store.keys('models/')).toHaveLength(1);
  });

  test('stays out of an archive that has a handler', async () => {
    const archive = await modelArchive({ '1/saved_model.pb': 'graph', 'code/inference.py': 'own' });
    const { registered, answer } = await register({ archive, source: HANDLER });
    expect(registered).toMatchObject({ addedCode: [] });
    expect(answer.sha256).toBe(digestOf(archive));
  });

  test('comes with its requirements.txt only where the container has a network', async () => {
    const source = { 'inference.py': '', 'requirements.txt': 'numpy' };
    expect((await register({ source })).registered).toMatchObject({ addedCode: ['inference.py'] });
    const store = await trainedDrop({ source });
    store.remove(bucketLayout.pipelineConfig('shapes'));
    await expect(registerModel({ run: TRAINING_PARTS }, { store })).rejects.toMatchObject({
      name: 'ModelUnusable',
    });
    expect(registered(store)).toMatchObject({ addedCode: ['inference.py'] });
    const model = { framework: 'tensorflow', frameworkVersion: '2.19.0', networkIsolation: false };
    expect((await register({ source, pipeline: { model } })).registered).toMatchObject({
      addedCode: ['inference.py', 'requirements.txt'],
    });
  });
});

test.each<[string, TrainingFixture, string, string]>([
  [
    'no archive',
    { archive: null },
    'ModelMissing',
    'model.tar.gz is not there: SageMaker stores a model only',
  ],
  ['no place of one', { job: { artifact: undefined } }, 'ModelMissing', 'names no archive of a model'],
  ['text', { archive: 'graph' }, 'ModelUnusable', 'is text, and no model'],
  ['no handler', {}, 'ModelUnusable', 'has no code/inference.py'],
  ['a broken pipeline.json', { pipeline: { model: 1, ...PLAIN } }, 'ModelUnusable', 'pipeline.json: model'],
])('a training that left %s ends with what to do', async (_name, fixture, name, message) => {
  await expect(register(fixture)).rejects.toMatchObject({ name, message: expect.stringContaining(message) });
});

test.each<[string, string, (store: MemoryObjectStore) => void]>([
  [
    'archive is in another bucket',
    's3://other/model.tar.gz is not in the bucket of the application',
    (store) => {
      const key = bucketLayout.job(TRAINING_PARTS, 1);
      const job = { ...(JSON.parse(store.text(key)!) as object), artifact: 's3://other/model.tar.gz' };
      store.put(key, JSON.stringify(job));
    },
  ],
  [
    'source has expired',
    'it was the source of the training',
    (store) => store.remove(store.keys('sources/')[0]!),
  ],
])('a training whose %s is not registered', async (_, message, change) => {
  const store = await trainedDrop({ pipeline: PLAIN });
  change(store);
  await expect(registerModel({ run: TRAINING_PARTS }, { store })).rejects.toThrow(message);
  expect(store.text(bucketLayout.registered(TRAINING_PARTS))).toBeUndefined();
});

describe('an archive that the job has not written', () => {
  const ARCHIVE = modelArchive({ '1/saved_model.pb': 'evil', 'code/inference.py': 'evil' });

  test.each<[string, (store: MemoryObjectStore, evil: Uint8Array) => void, string]>([
    [
      'was put over its own',
      (store, evil) => store.put(OUTPUT, evil, UPLOADED),
      'written or deleted 2 times',
    ],
    [
      'was put where the job would write its own',
      (store, evil) => {
        store.put(OUTPUT, evil, new Date(UPLOADED.getTime() - 9_000));
        store.put(OUTPUT, 'own', UPLOADED);
      },
      'written or deleted 3 times',
    ],
  ])('is not registered: it %s', async (_, overwrite, message) => {
    const store = await trainedDrop({ pipeline: PLAIN });
    overwrite(store, await ARCHIVE);
    await expect(registerModel({ run: TRAINING_PARTS }, { store })).rejects.toMatchObject({
      name: 'ModelReplaced',
      message: expect.stringContaining(message),
    });
    expect(store.keys('models/')).toEqual([]);
  });

  test.each(['2026-03-01T11:49:00.000Z', '2026-03-01T11:59:00.000Z'])(
    'is not registered: it was put there at %s, before or after the job',
    async (at) => {
      const store = await trainedDrop({ archive: null, pipeline: PLAIN });
      store.put(OUTPUT, await ARCHIVE, new Date(at));
      await expect(registerModel({ run: TRAINING_PARTS }, { store })).rejects.toMatchObject({
        name: 'ModelReplaced',
        message: expect.stringContaining(`was written at ${at}`),
      });
    },
  );

  test('is not registered in place of the version that was listed', async () => {
    const archive = await modelArchive({ '1/saved_model.pb': 'graph' });
    const store = await trainedDrop({ archive, pipeline: PLAIN });
    const { versions } = store;
    const listing: typeof versions = async (key) => {
      const found = await versions(key);
      store.put(key, await ARCHIVE, UPLOADED);
      return found;
    };
    Object.assign(store, { versions: listing });
    expect(await registerModel({ run: TRAINING_PARTS }, { store })).toMatchObject({
      sha256: digestOf(archive),
    });
  });
});

test("a pipeline with an image of its own judges no layout, since AWS's containers do not serve it", async () => {
  const image = '000000000000.dkr.ecr.us-east-1.amazonaws.com/own:1';
  const model = { framework: 'tensorflow', frameworkVersion: '2.19.0', image };
  expect((await register({ pipeline: { model } })).registered).toMatchObject({ addedCode: [] });
});

test('a model that no container would serve is kept all the same', async () => {
  const store = await trainedDrop();
  await expect(registerModel({ run: TRAINING_PARTS }, { store })).rejects.toThrow(/^s3:\/\/bucket\/models\//);
  expect(store.keys('models/')).toHaveLength(1);
});

test('inputs that changed while the job ran are counted', async () => {
  const store = await trainedDrop({ pipeline: PLAIN, files: { 'a.png': 'a', 'b.png': 'b', 'c.png': 'c' } });
  store.put('training/shapes/tuesday/a.png', 'other');
  store.remove('training/shapes/tuesday/c.png');
  store.put('training/shapes/tuesday/later.png', 'later');
  await registerModel({ run: TRAINING_PARTS }, { store });
  expect(registered(store)).toMatchObject({ changedInputs: { superseded: 1, deleted: 1, arrived: 0 } });
});

test('what every drop has beside its files did not come after the freeze', async () => {
  const folder = 'training/shapes/tuesday/';
  const [channel] = trainingPlan().channels;
  const plan = { channels: [{ ...channel!, s3DataType: 'S3Prefix' as const, uri: `s3://bucket/${folder}` }] };
  const store = await trainedDrop({ pipeline: PLAIN, plan });
  for (const name of ['job.json', '_READY', '.hidden']) store.put(folder + name, '');
  await registerModel({ run: TRAINING_PARTS }, { store });
  expect(registered(store)).toMatchObject({ changedInputs: { arrived: 0 } });
});

test('files that came after the freeze are counted where the job read a prefix', async () => {
  const folder = 'training/shapes/tuesday/';
  const [channel] = trainingPlan().channels;
  const plan = {
    channels: ['train/', 'validation/'].map((path) => ({
      ...channel!,
      name: path.slice(0, -1),
      s3DataType: 'S3Prefix' as const,
      uri: `s3://bucket/${folder}${path}`,
    })),
  };
  const files = { 'other.txt': 'o', 'train/b.png': 'b', 'train/d.png': 'd', 'validation/a.png': 'a' };
  const store = await trainedDrop({ pipeline: PLAIN, plan, files });
  for (const name of ['job.json', '_READY', 'train/.hidden', 'train/folder/', 'a.txt', 'zz.txt'])
    store.put(folder + name, '');
  await registerModel({ run: TRAINING_PARTS }, { store });
  expect(registered(store)).toMatchObject({ changedInputs: { superseded: 0, deleted: 0, arrived: 0 } });
  for (const name of ['train/a.png', 'train/c.png', 'train/e.png', 'validation/b.png'])
    store.put(folder + name, '');
  store.remove(`${folder}train/b.png`);
  await registerModel({ run: TRAINING_PARTS }, { store });
  expect(registered(store)).toMatchObject({ changedInputs: { superseded: 0, deleted: 1, arrived: 4 } });
});
