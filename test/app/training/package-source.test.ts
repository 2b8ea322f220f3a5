import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { expect, test } from 'vitest';
import { packageSource } from '../../../src/app/training/package-source.ts';
import { planTraining } from '../../../src/app/training/plan-training.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import {
  NOW,
  PLAN_ID,
  STACK,
  TRAINING,
  type TrainingDrop,
  trainingDrop,
} from '../../support/training-drop.ts';

async function planned(drop: TrainingDrop = {}): Promise<MemoryObjectStore> {
  const store = trainingDrop(drop);
  await planTraining(
    { run: TRAINING },
    { store, quotas: async () => new Map(), newId: () => PLAN_ID, clock: () => NOW, settings: STACK },
  );
  return store;
}

async function unpacked(archive: Uint8Array): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) files[entry.header.name] = await text(entry);
  return files;
}

test('the source is packed as the toolkit unpacks it, and is known by its digest', async () => {
  const store = await planned({
    source: { 'train.py': 'a', 'lib/net.py': 'b', 'requirements.txt': 'numpy' },
  });
  const { sha256, bytes } = await packageSource({ run: TRAINING }, { store });
  const archive = (await store.readBytes(bucketLayout.source(sha256)))!;
  expect(archive).toHaveLength(bytes);
  expect(createHash('sha256').update(archive).digest('hex')).toBe(sha256);
  expect(await unpacked(archive)).toEqual({
    'lib/net.py': 'b',
    'requirements.txt': 'numpy',
    'train.py': 'a',
  });
  expect(JSON.parse(store.text(bucketLayout.packagedSource(TRAINING))!)).toEqual({
    schema: 1,
    sha256,
    bytes,
    files: 3,
  });
});

test('equal files have one digest, whenever they were uploaded; others have another', async () => {
  const first = await packageSource({ run: TRAINING }, { store: await planned() });
  expect(await packageSource({ run: TRAINING }, { store: await planned() })).toEqual(first);
  const store = await planned({ source: { 'train.py': 'import torch\n', 'lib/net.py': 'x = 2\n' } });
  expect((await packageSource({ run: TRAINING }, { store })).sha256).not.toBe(first.sha256);
});

test.each([
  ['replaced', (store: MemoryObjectStore) => store.put('pipelines/shapes/code/train.py', 'other')],
  ['removed', (store: MemoryObjectStore) => store.remove('pipelines/shapes/code/train.py')],
])('a file that was %s since the plan ends the training', async (what, change) => {
  const store = await planned();
  change(store);
  await expect(packageSource({ run: TRAINING }, { store })).rejects.toMatchObject({
    name: 'SourceChanged',
    message: expect.stringContaining(`pipelines/shapes/code/train.py was ${what}`),
  });
});
