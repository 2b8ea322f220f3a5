import { createHash } from 'node:crypto';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { type Frozen, toAbandoned } from '../../src/drop/frozen.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import type { TrainingJobRecord } from '../../src/training/training-job-record.ts';
import type { TrainingMetrics } from '../../src/training/training-metrics.ts';
import type { TrainingPlan } from '../../src/training/training-plan.ts';
import { NOW, PIPELINE } from './drop-fixture.ts';
import { type MemoryObjectStore, memoryObjectStore } from './memory-object-store.ts';
import { runSummary } from './run-summary.ts';

export const TRAINING = 'training/shapes/tuesday/000001';
export const TRAINING_PARTS = parseRunId(TRAINING)!;
/** The run whose manifest judges what is trained. */
export const JUDGED = 'shapes/monday/000001';

/** While the job ran. */
export const UPLOADED = new Date('2026-03-01T11:57:20.000Z');

export const OUTPUT = 'runs/training/shapes/tuesday/000001/output/job/output/model.tar.gz';

export interface TrainingFixture {
  readonly pipeline?: object;
  readonly plan?: Partial<TrainingPlan>;
  readonly job?: Partial<TrainingJobRecord>;
  /** The archive that the job left; null for none. */
  readonly archive?: Uint8Array | string | null;
  /** Files of the source folder. */
  readonly source?: Readonly<Record<string, string>>;
  /** Bodies of the files that were trained on, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A bucket with a training whose job has completed. */
export async function trainedDrop({
  pipeline = {},
  plan = {},
  job = {},
  archive,
  source = { 'train.py': 'import tensorflow' },
  files = { 'a.png': 'a', 'b.png': 'b' },
}: TrainingFixture = {}): Promise<MemoryObjectStore> {
  const store = memoryObjectStore({ clock: () => NOW });
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify({ ...PIPELINE, ...pipeline }));
  putManifest(store, TRAINING, 'training/shapes/tuesday/', files);
  const packed = await modelArchive(source);
  const sha256 = digestOf(packed);
  store.put(bucketLayout.source(sha256), packed);
  const sourceFacts = { schema: 1, sha256, bytes: packed.length, files: Object.keys(source).length };
  store.put(bucketLayout.packagedSource(TRAINING_PARTS), JSON.stringify(sourceFacts));
  store.put(bucketLayout.plan(TRAINING_PARTS), JSON.stringify({ ...trainingPlan(), ...plan }));
  store.put(bucketLayout.job(TRAINING_PARTS, 1), JSON.stringify({ ...trainingJob(), ...job }));
  if (archive !== null)
    store.put(OUTPUT, archive ?? (await modelArchive({ '1/saved_model.pb': 'graph' })), UPLOADED);
  return store;
}

/** Writes the files of a run's manifest, and `frozen.json` of it. */
export function putManifest(
  store: MemoryObjectStore,
  run: string,
  prefix: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  const entries = Object.entries(files).map(([name, body]) => {
    const { key, size, etag, lastModified } = store.put(prefix + name, body);
    return { key, size, etag, lastModified: lastModified.toISOString() };
  });
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const slice = `runs/${run}/freeze/1.jsonl`;
  store.put(slice, text);
  store.put(bucketLayout.manifest(parseRunId(run)!), text);
  const frozen: Frozen = {
    ...toAbandoned('died', { bucket: store.bucket, prefix }, NOW),
    reason: undefined,
    status: 'frozen',
    objects: entries.length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
    manifestSlices: [{ object: slice, through: entries.at(-1)?.key ?? '' }],
  };
  store.put(bucketLayout.frozen(parseRunId(run)!), JSON.stringify(frozen));
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function trainingPlan(): TrainingPlan {
  return {
    schema: 1,
    run: TRAINING,
    createdAt: NOW.toISOString(),
    region: 'us-east-1',
    data: { bucket: 'bucket', prefix: 'training/shapes/tuesday/', objects: 2, bytes: 2 },
    image: {
      uri: '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-training:2.19.0-cpu-py312',
      framework: 'tensorflow',
      version: '2.19.0',
      pyVersion: 'py312',
      horovod: null,
    },
    source: {
      prefix: 'pipelines/shapes/code/',
      entryPoint: 'train.py',
      files: [{ path: 'train.py', bytes: 17, etag: 'e' }],
    },
    instances: { types: ['ml.m5.xlarge'], count: 2, volumeSizeInGB: 30, kmsKeyArn: null },
    distribution: null,
    hyperparameters: { epochs: '3', 'learning-rate': '0.01' },
    inputMode: 'File',
    channels: [
      {
        name: 'training',
        s3DataType: 'ManifestFile',
        uri: 's3://bucket/runs/training/shapes/tuesday/000001/channels/training.manifest',
        attributes: [],
        distribution: 'FullyReplicated',
        shuffleSeed: null,
        inputMode: 'File',
        contentType: null,
        compression: 'None',
        recordWrapper: 'None',
        objects: 2,
        bytes: 2,
      },
    ],
    metrics: [
      { name: 'loss', regex: 'loss: ([0-9.]+)' },
      { name: 'accuracy', regex: 'accuracy: ([0-9.]+)' },
    ],
    stop: { nan: true, metric: null, mode: null, patience: 5 },
    id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    checkpoints: null,
    spot: null,
    vpc: null,
    networkIsolation: false,
    encryptInterContainerTraffic: false,
    environment: {},
    roleArn: 'arn:aws:iam::000000000000:role/training',
    tags: {},
    limits: { maxCostUsd: 5, maxRunSeconds: 3600, maxWaitSeconds: 14_400 },
    cost: {
      pricesUsd: { 'ml.m5.xlarge': 0.23 },
      quoteUsd: 0.46,
      priceTableDate: '2026-11-01',
      source: 'table',
    },
    after: {
      evaluate: { drop: 'monday', run: JUDGED, objects: 2 },
      promote: 'when-gate-passes',
      deploy: 'when-gate-passes',
    },
    judging: 'a',
    incumbent: null,
    notes: [],
  };
}

function trainingJob(): TrainingJobRecord {
  return {
    schema: 1,
    kind: 'training',
    run: TRAINING,
    attempt: 1,
    jobName: 'inferdrop-shapes-tuesday-000001',
    instanceType: 'ml.m5.xlarge',
    instanceCount: 2,
    status: 'Completed',
    secondaryStatus: 'Completed',
    createdAt: '2026-03-01T11:50:00.000Z',
    startedAt: '2026-03-01T11:51:00.000Z',
    endedAt: '2026-03-01T11:57:30.000Z',
    trainingSeconds: 390,
    billableSeconds: 390,
    costUsd: 0.05,
    artifact: `s3://bucket/${OUTPUT}`,
    phases: [
      { status: 'Starting', startedAt: '2026-03-01T11:50:00.000Z', endedAt: '2026-03-01T11:51:00.000Z' },
      { status: 'Downloading', startedAt: '2026-03-01T11:51:00.000Z', endedAt: '2026-03-01T11:51:20.000Z' },
      { status: 'Training', startedAt: '2026-03-01T11:51:20.000Z', endedAt: '2026-03-01T11:57:00.000Z' },
      { status: 'Uploading', startedAt: '2026-03-01T11:57:00.000Z', endedAt: '2026-03-01T11:57:30.000Z' },
    ],
  };
}

/** Ends a run that judges a model, as its own state machine would. */
export function endJudgingRun(
  store: MemoryObjectStore,
  name: string,
  {
    status = 'completed',
    gate = 'none',
    explanation = `The gate says ${gate}.`,
    costUsd = 0.01,
    sha256 = 'c'.repeat(64),
    judgedByDrop = [],
    judging = null,
    report = {},
  }: {
    readonly status?: string;
    readonly gate?: 'passed' | 'failed' | 'none';
    readonly explanation?: string;
    readonly costUsd?: number;
    readonly sha256?: string;
    readonly judgedByDrop?: readonly string[];
    /** Digest of the pipeline.json that it was planned by. */
    readonly judging?: string | null;
    readonly report?: object;
  } = {},
): void {
  const run = parseRunId(name)!;
  const figures = { total: 2, correct: 2, errors: 0, accuracy: 1, costUsd };
  const reported = {
    status,
    ...figures,
    gate: { verdict: gate, explanation, isSet: gate !== 'none' },
    isDoubted: false,
    labelChanges: null,
    errorsByReason: {},
    classes: [],
    labelReading: null,
    suspectLabels: null,
    ...report,
  };
  store.put(bucketLayout.reportJson(run), JSON.stringify(reported));
  store.put(
    bucketLayout.plan(run),
    JSON.stringify({ model: { sha256, served: null, given: null }, judgedByDrop, judging, sample: null }),
  );
  store.put(bucketLayout.ended(run), '{}');
  store.put(bucketLayout.shards(run), '{}');
  store.put(bucketLayout.rows(run, 0), 'rows');
  const summary = { run: name, status, endedAt: NOW.toISOString(), ...figures, gate };
  store.put(bucketLayout.indexEntry(run, NOW), runSummary(summary));
}
/** Loss and accuracy of two hosts, three epochs each. */
export function trainingMetrics(): TrainingMetrics {
  const at = (minute: number): string => `2026-03-01T11:5${minute}:00.000Z`;
  const curve = (metric: string, host: string, values: readonly (number | null)[]) => ({
    metric,
    host,
    count: values.length,
    points: values.map((value, index) => ({ at: at(2 + index), value })),
  });
  return {
    schema: 1,
    run: TRAINING,
    jobName: 'inferdrop-shapes-tuesday-000001',
    final: { loss: 0.31, accuracy: 0.9 },
    series: [
      curve('loss', 'algo-1', [1.9, 0.72, 0.31]),
      curve('loss', 'algo-2', [2.1, 0.8, 0.34]),
      curve('accuracy', 'algo-1', [0.4, 0.78, 0.9]),
      curve('accuracy', 'algo-2', [0.38, 0.75, 0.89]),
    ],
    logEnd: [
      { host: 'algo-1', lines: ['epoch 3 loss: 0.31 accuracy: 0.90', 'saved'] },
      { host: 'algo-2', lines: ['epoch 3 loss: 0.34 accuracy: 0.89'] },
    ],
    runtime: 'TensorFlow 2.21.0 / Python 3.11.7',
    packages: ['keras==3.12.0', 'tensorflow==2.21.0'],
    isWhole: true,
  };
}
