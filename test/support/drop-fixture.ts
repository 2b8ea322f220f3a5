import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import type { PlanServices } from '../../src/app/plan/plan-services.ts';
import type { Frozen } from '../../src/drop/frozen.ts';
import { isTar } from '../../src/drop/tar-key.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import { compareByteOrder } from '../../src/text/byte-order.ts';
import { aDrop } from './a-run.ts';
import {
  type MemoryObjectStore,
  memoryObjectStore,
  type MemoryObjectStoreOptions,
} from './memory-object-store.ts';

export const RUN = 'shapes/monday/000001';
export const PARTS = parseRunId(RUN)!;
export const NOW = new Date('2026-03-01T12:00:00.000Z');

/** The smallest archive that PlanRun takes for TensorFlow with a handler. */
export const SERVABLE = { '1/saved_model.pb': 'graph', 'code/inference.py': 'def handler(): pass' } as const;

/** A pipeline.json that has only what it must have. */
export const PIPELINE = {
  model: { framework: 'tensorflow', frameworkVersion: '2.20' },
  labels: { classes: ['circle', 'square'] },
};

export const SETTINGS: PlanServices['settings'] = {
  region: 'us-east-1',
  readBuckets: ['other'],
  roleArn: 'arn:aws:iam::000000000000:role/model',
  vpc: null,
  kmsKeyArn: null,
  predictConcurrency: 8,
  predictMemoryMB: 1769,
};

export interface DropFixture {
  readonly pipeline?: unknown;
  readonly job?: unknown;
  /** Sizes in bytes by key below the drop; `true` for a body that is really there, one byte long. */
  readonly files?: Readonly<Record<string, number>>;
  readonly archive?: Uint8Array | string | null;
  readonly store?: MemoryObjectStoreOptions;
}

/** A bucket with a pipeline, a model and a frozen drop; the manifest's sizes need no bodies. */
export async function frozenDrop({
  pipeline = PIPELINE,
  job,
  files = { 'a.png': 3, 'b.png': 4 },
  archive,
  store: options,
}: DropFixture = {}): Promise<MemoryObjectStore> {
  const store = memoryObjectStore({ others: ['other'], clock: () => NOW, ...options });
  if (pipeline !== null) {
    store.put(
      bucketLayout.pipelineConfig('shapes'),
      typeof pipeline === 'string' ? pipeline : JSON.stringify(pipeline),
    );
  }
  if (archive !== null)
    store.put(bucketLayout.pipelineModel('shapes'), archive ?? (await modelArchive(SERVABLE)));
  const prefix = bucketLayout.dropFolder(aDrop('shapes/monday'));
  if (job !== undefined) store.put(`${prefix}job.json`, typeof job === 'string' ? job : JSON.stringify(job));
  const entries = Object.entries(files)
    .map(([name, size]) => {
      // Files of one content would be copies.
      const put = store.put(prefix + name, size === 0 ? '' : `x${name}`);
      return {
        key: put.key,
        size,
        etag: put.etag,
        lastModified: put.lastModified!.toISOString(),
        ...(size === 0 && { empty: true }),
      };
    })
    .sort((a, b) => compareByteOrder(a.key, b.key));
  store.put(bucketLayout.manifest(PARTS), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const frozen: Frozen = {
    schema: 1,
    status: 'frozen',
    objects: entries.length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
    largestObjectBytes: Math.max(0, ...entries.map(({ size }) => size)),
    emptyObjects: entries.filter(({ size }) => size === 0).length,
    tars: entries.filter(({ key }) => isTar(key)).length,
    sourceBucket: store.bucket,
    sourcePrefix: prefix,
    frozenAt: NOW.toISOString(),
    manifestSlices: [],
    coveredSlices: [],
    origin: { mode: 'drop' },
  };
  store.put(bucketLayout.frozen(PARTS), JSON.stringify(frozen));
  return store;
}
