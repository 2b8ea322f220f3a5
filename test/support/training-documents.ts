import type { TrainingJobRecord } from '../../src/training/training-job-record.ts';
import type { TrainingPlan } from '../../src/training/training-plan.ts';

const AT = '2026-03-01T12:00:00.000Z';

/** A plan of a training of one host, with what a test says of it. */
export function trainingPlan(changes: Partial<TrainingPlan> = {}): TrainingPlan {
  return {
    schema: 1,
    run: 'clothes/monday/000001',
    createdAt: AT,
    region: 'us-east-1',
    data: { bucket: 'bucket', prefix: 'training/clothes/monday/', objects: 2, bytes: 9 },
    image: {
      uri: '763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.6.0-cpu-py312',
      framework: 'pytorch',
      version: '2.6.0',
      pyVersion: 'py312',
      horovod: null,
    },
    source: {
      prefix: 'pipelines/clothes/code/',
      entryPoint: 'train.py',
      files: [{ path: 'train.py', bytes: 12, etag: 'e' }],
    },
    instances: { types: ['ml.m5.xlarge', 'ml.c5.xlarge'], count: 1, volumeSizeInGB: 30, kmsKeyArn: null },
    distribution: null,
    hyperparameters: { epochs: '3' },
    inputMode: 'File',
    channels: [
      {
        name: 'training',
        s3DataType: 'S3Prefix',
        uri: 's3://bucket/training/clothes/monday/',
        attributes: [],
        distribution: 'FullyReplicated',
        shuffleSeed: null,
        inputMode: 'File',
        contentType: null,
        compression: 'None',
        recordWrapper: 'None',
        objects: 2,
        bytes: 9,
      },
    ],
    metrics: [{ name: 'loss', regex: 'loss: ([0-9.]+)' }],
    stop: { nan: true, metric: null, mode: null, patience: 5 },
    id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    checkpoints: { uri: 's3://bucket/runs/clothes/monday/000001/checkpoints/' },
    spot: null,
    vpc: null,
    networkIsolation: false,
    encryptInterContainerTraffic: false,
    environment: {},
    roleArn: 'arn:aws:iam::111122223333:role/training',
    tags: {},
    limits: { maxCostUsd: 20, maxRunSeconds: 3600, maxWaitSeconds: 14_400 },
    cost: {
      pricesUsd: { 'ml.m5.xlarge': 0.2304, 'ml.c5.xlarge': 0.204 },
      quoteUsd: 0.2304,
      priceTableDate: '2026-11-21',
      source: 'table',
    },
    after: { evaluate: null, promote: 'ask', deploy: 'never' },
    judging: 'a',
    incumbent: null,
    notes: [],
    ...changes,
  };
}

/** The record of a training's first attempt, with what a test says of it. */
export function trainingJobRecord(changes: Partial<TrainingJobRecord> = {}): TrainingJobRecord {
  return {
    schema: 1,
    kind: 'training',
    run: 'clothes/monday/000001',
    attempt: 1,
    jobName: 'inferdrop-clothes-monday-1-0123456789ab',
    instanceType: 'ml.m5.xlarge',
    instanceCount: 1,
    status: 'Completed',
    secondaryStatus: 'Completed',
    createdAt: AT,
    startedAt: AT,
    endedAt: '2026-03-01T12:10:00.000Z',
    trainingSeconds: 600,
    billableSeconds: 600,
    costUsd: 0.0384,
    artifact:
      's3://bucket/runs/clothes/monday/000001/output/inferdrop-clothes-monday-1-0123456789ab/output/model.tar.gz',
    phases: [{ status: 'Training', startedAt: AT, endedAt: '2026-03-01T12:10:00.000Z' }],
    ...changes,
  };
}
