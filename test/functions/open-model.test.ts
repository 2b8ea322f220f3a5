import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HandlerRefused } from '@inferdrop/model-container/internal/python-service';
import type { openArchive } from '@inferdrop/model-container/open-archive';
import { modelOpener } from '../../functions/runtime/open-model.ts';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { memoryObjectStore } from '../support/memory-object-store.ts';

const archive = await modelArchive({ 'model.onnx': 'graph' });
const sha256 = createHash('sha256').update(archive).digest('hex');
const MODEL = { sha256, imageUri: 'r/image:1', environment: {} };

let happened: string[];
beforeEach(() => void (happened = []));
afterEach(() => void vi.useRealTimers());

const opening: typeof openArchive = async ({ modelDir }) => {
  happened.push(`opened ${readdirSync(modelDir).join()}`);
  return {
    runtime: 'onnxruntime',
    answer: async () => ({ status: 200, body: '' }),
    renewScript: async () => void happened.push('renewed'),
    close: async () => void happened.push('closed'),
  };
};

it('a model is opened once, and its script starts anew for each job but the first', async () => {
  const store = memoryObjectStore();
  store.put(bucketLayout.model(sha256), archive);
  const open = modelOpener(store, undefined, opening);
  for (const job of [undefined, 'a', 'a', 'b', 'b', undefined, 'b', 'a']) await open(MODEL, job);
  await open({ ...MODEL, environment: { RELEASE: '2' } }, 'a');
  expect(happened).toEqual(['opened model.onnx', 'renewed', 'renewed', 'closed', 'opened model.onnx']);
});

it('a script that does not start anew within a job is refused by name', async () => {
  const store = memoryObjectStore();
  store.put(bucketLayout.model(sha256), archive);
  const renewScript = () => Promise.reject(new HandlerRefused('no file'));
  const open = modelOpener(store, undefined, async (options) => ({
    ...(await opening(options)),
    renewScript,
  }));
  await expect((await open(MODEL, 'a')).renewScript()).rejects.toMatchObject({
    name: 'ModelRefused',
    message: "the model's script fails: no file",
  });
});

it('an archive that is another than its name says is refused by name, and opened once it is the right one', async () => {
  const store = memoryObjectStore();
  const key = bucketLayout.model(sha256);
  store.put(key, await modelArchive({ 'model.onnx': 'another' }));
  const open = modelOpener(store, undefined, opening);
  await expect(open(MODEL)).rejects.toMatchObject({
    name: 'ModelRefused',
    message: expect.stringContaining(`${key} is not the archive that was stored there: its SHA-256 is `),
  });
  expect(happened).toEqual([]);
  store.put(key, archive);
  await open(MODEL);
  expect(happened).toEqual(['opened model.onnx']);
});

it('a download that breaks off or falls silent is no fault of the archive, and the next request begins another', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const store = memoryObjectStore();
  store.put(bucketLayout.model(sha256), archive);
  const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const broken = Readable.from(
    (async function* () {
      yield archive.subarray(0, 20);
      throw reset;
    })(),
  );
  const silent = new Readable({ read: () => setImmediate(() => vi.advanceTimersByTime(30_000)) });
  const downloads = [broken, silent];
  const open = modelOpener(
    { ...store, readStream: async (key, range) => downloads.shift() ?? store.readStream(key, range) },
    undefined,
    opening,
  );
  await expect(open(MODEL)).rejects.toMatchObject({ name: 'NetworkingError', message: 'aborted' });
  await expect(open(MODEL)).rejects.toMatchObject({
    name: 'NetworkingError',
    message: 'the bucket has stopped sending',
  });
  await open(MODEL);
  expect(happened).toEqual(['opened model.onnx']);
});
