import type { JobRecord } from '../../src/transform/job-record.ts';

/** A transform job's record with plausible facts. */
export function jobRecord(facts: Partial<JobRecord> = {}): JobRecord {
  return {
    schema: 1,
    run: 'cifar10/monday/000001',
    attempt: 1,
    kind: 'part',
    part: 1,
    jobName: 'job-1',
    engine: {
      name: 'sagemaker',
      instanceType: 'ml.m5.xlarge',
      instanceCount: 1,
      maxConcurrentTransforms: 4,
      maxPayloadInMB: 6,
    },
    input: 'runs/cifar10/monday/000001/jobs/1/input.manifest',
    objects: 1,
    firstKey: 'a.png',
    lastKey: 'a.png',
    outputsBefore: 0,
    sample: [],
    status: 'InProgress',
    createdAt: '2026-03-01T12:00:00.000Z',
    costUsd: null,
    ...facts,
  };
}
