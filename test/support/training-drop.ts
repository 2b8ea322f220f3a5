import type { PlanTrainingServices } from '../../src/app/training/plan-training.ts';
import type { Frozen } from '../../src/drop/frozen.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../src/run/run-id.ts';
import { compareByteOrder } from '../../src/text/byte-order.ts';
import { type MemoryObjectStore, memoryObjectStore } from './memory-object-store.ts';

export const TRAINING: RunParts = {
  kind: 'training',
  pipeline: 'shapes',
  drop: 'monday',
  generation: '000001',
};
/** UUID of the plans. */
export const PLAN_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
export const NOW = new Date('2026-03-01T12:00:00.000Z');

/** What only must be said of a training, with one metric. */
const SETTINGS = {
  framework: 'pytorch',
  version: '2.6.0',
  entryPoint: 'train.py',
  hyperparameters: { epochs: 3, backend: 'gloo' },
  metrics: { loss: 'loss: ([0-9.]+|nan)' },
};

export const STACK: PlanTrainingServices['settings'] = {
  region: 'us-east-1',
  roleArn: 'arn:aws:iam::000000000000:role/training',
  vpc: null,
  kmsKeyArn: null,
  readBuckets: ['other'],
  resourceTags: {},
};

export interface TrainingDrop {
  readonly run?: RunParts;
  /** Over `SETTINGS`; null: pipeline.json has no training. */
  readonly training?: object | null;
  /** Over the rest of pipeline.json. */
  readonly pipeline?: object;
  readonly job?: unknown;
  /** The mark of the upload that the drop has. */
  readonly mark?: '_READY' | '_UPLOADING';
  /** Bodies by path below the drop. */
  readonly files?: Readonly<Record<string, string>>;
  /** Bodies by path below the source folder. */
  readonly source?: Readonly<Record<string, string>>;
  readonly frozen?: Partial<Frozen>;
}

/** A bucket with a pipeline that trains, its source, and a frozen drop of training data. */
export function trainingDrop({
  run = TRAINING,
  training = {},
  pipeline = {},
  job,
  mark,
  files = { 'a.npy': 'aaa', 'b.npy': 'bbbb' },
  source = { 'train.py': 'import torch\n', 'lib/net.py': 'x = 1\n' },
  frozen,
}: TrainingDrop = {}): MemoryObjectStore {
  const store = memoryObjectStore({ others: ['other'], clock: () => NOW });
  store.put(
    bucketLayout.pipelineConfig('shapes'),
    JSON.stringify({
      model: { framework: 'pytorch', frameworkVersion: '2.6.0' },
      labels: { classes: ['circle', 'square'] },
      ...(training !== null && { training: { ...SETTINGS, ...training } }),
      ...pipeline,
    }),
  );
  for (const [path, text] of Object.entries(source)) store.put(`pipelines/shapes/code/${path}`, text);
  const prefix = frozen?.sourcePrefix ?? bucketLayout.dropFolder(run);
  if (job !== undefined) store.put(`${bucketLayout.dropFolder(run)}job.json`, JSON.stringify(job));
  if (mark !== undefined) store.put(`${bucketLayout.dropFolder(run)}${mark}`, '');
  const entries = Object.entries(files)
    .map(([name, body]) => {
      const { key, etag, lastModified } = store.put(`${prefix}${name}`, body);
      return { key, size: body.length, etag, lastModified: lastModified!.toISOString() };
    })
    .sort((a, b) => compareByteOrder(a.key, b.key));
  store.put(bucketLayout.manifest(run), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  putFrozen(store, run, { objects: entries.length, bytes: 7, sourcePrefix: prefix, ...frozen });
  return store;
}

/** A frozen generation of a drop, of which only the marker is there. */
export function putFrozen(store: MemoryObjectStore, run: RunParts, changes: Partial<Frozen> = {}): string {
  const frozen: Frozen = {
    schema: 1,
    status: 'frozen',
    objects: 3,
    bytes: 9,
    largestObjectBytes: 4,
    emptyObjects: 0,
    tars: 0,
    sourceBucket: store.bucket,
    sourcePrefix: bucketLayout.dropFolder(run),
    frozenAt: NOW.toISOString(),
    manifestSlices: [],
    coveredSlices: [],
    origin: { mode: 'drop' },
    ...changes,
  };
  store.put(bucketLayout.frozen(run), JSON.stringify(frozen));
  return toRunId(run);
}
