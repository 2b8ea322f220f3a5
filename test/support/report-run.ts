import { ScoringPlan } from '../../src/plan/scoring-plan.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import { type MemoryObjectStore, memoryObjectStore } from './memory-object-store.ts';

export const RUN = 'shapes/monday/000001';

/** The parts of a run's name. */
export function runKeys(run = RUN) {
  return parseRunId(run)!;
}

/** A plan as PlanRun writes it, with the parts that a test changes. */
export function planWith(changes: Partial<ScoringPlan> = {}): ScoringPlan {
  return ScoringPlan.parse({
    model: {
      name: 'inferdrop-shapes-0a1b',
      artifact: 's3://bucket/pipelines/shapes/model.tar.gz',
      sha256: 'ab'.repeat(32),
      imageUri: '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu',
      framework: 'tensorflow',
      frameworkVersion: '2.19.0',
      served: null,
      given: null,
    },
    input: { bucket: 'bucket', prefix: 'incoming/shapes/monday/', unpacked: null },
    outputs: 'objects',
    engine: {
      name: 'sagemaker',
      instanceTypes: ['ml.g4dn.xlarge'],
      instanceCount: 1,
      amiVersion: null,
      maxConcurrentTransforms: 8,
      maxPayloadInMB: 6,
      invocationsTimeoutInSeconds: 600,
      invocationsMaxRetries: 3,
      environment: { A: 'b' },
    },
    predictions: null,
    continues: null,
    sample: null,
    rounds: null,
    transform: {
      contentType: 'application/x-image',
      accept: 'application/json',
      splitType: 'None',
      columns: null,
      batchStrategy: 'SingleRecord',
      assembleWith: 'None',
      inputFilter: null,
      kmsKeyArn: null,
    },
    labels: {
      task: 'classification',
      classes: ['circle', 'square', 'star'],
      truth: { from: 'key', pattern: '([a-z]+)\\.png$' },
      file: null,
      etag: null,
      index: null,
      strict: false,
      check: null,
      reading: null,
      classOffset: 0,
      scores: 'as-answered',
      threshold: null,
      single: 'class',
      outcomes: false,
      since: [],
      gateActs: false,
    },
    report: { topK: [1, 2], images: true, slices: [], clusters: null, baseline: null },
    previous: null,
    gate: null,
    setAside: null,
    cost: { quoteUsd: 0.02 },
    notes: [],
    objects: 0,
    createdAt: '2026-11-21T10:00:00.000Z',
    ...changes,
  });
}

/** One input with its output, or with the error that stands for it. */
export interface RunInput {
  readonly name: string;
  readonly output?: string;
  readonly error?: string;
  /** Default `e`. */
  readonly etag?: string;
  readonly copy?: true;
  /** Label that lies in it. */
  readonly label?: string | undefined;
  /** Bytes of the input, default 1. */
  readonly size?: number;
}

/** A run that has been reconciled, cut into shards of `perShard` inputs. */
export function reconciledRun(
  inputs: readonly RunInput[],
  options: {
    plan?: Partial<ScoringPlan>;
    perShard?: number;
    run?: string;
    store?: MemoryObjectStore;
  } = {},
) {
  const store = options.store ?? memoryObjectStore({ bucket: 'bucket' });
  const name = options.run ?? RUN;
  const run = runKeys(name);
  const prefix = bucketLayout.dropFolder(run);
  const plan = planWith({ input: { unpacked: null, bucket: 'bucket', prefix }, ...options.plan });
  const shards: { run: string; shard: number; start: number; end: number; inputs: number }[] = [];
  let lines = '';
  const perShard = options.perShard ?? inputs.length;
  for (const [at, { name: file, output, error, etag = 'e', size = 1, copy, label }] of inputs.entries()) {
    const key = `${prefix}${file}`;
    const out = `${bucketLayout.predictions(run)}${file}.out`;
    if (output !== undefined) store.put(out, output);
    if (at % perShard === 0) {
      shards.push({ run: name, shard: shards.length, start: Buffer.byteLength(lines), end: 0, inputs: 0 });
    }
    lines += `${JSON.stringify({
      key,
      size,
      etag,
      copy,
      label,
      lastModified: '2026-11-21T09:00:00.000Z',
      ...(error === undefined ? { output: out } : { error, detail: 'told by the test' }),
    })}\n`;
    const shard = shards.at(-1)!;
    shard.end = Buffer.byteLength(lines);
    shard.inputs++;
  }
  store.put(bucketLayout.plan(run), JSON.stringify({ ...plan, judgedByDrop: [], judging: null }));
  store.put(bucketLayout.reconciled(run), lines);
  store.put(bucketLayout.shards(run), JSON.stringify(shards));
  return { store, shards: shards.map((shard) => ({ ...shard, run })), run, plan };
}
