import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { toJsonSchema } from '../../../src/plan/published-schemas.ts';
import { PackagedSource } from '../../../src/training/packaged-source.ts';
import { TrainingJobRecord } from '../../../src/training/training-job-record.ts';
import { TrainingMetrics } from '../../../src/training/training-metrics.ts';
import { TrainingPlan } from '../../../src/training/training-plan.ts';
import { trainingJobRecord, trainingPlan } from '../../support/training-documents.ts';

const AT = '2026-03-01T12:00:00.000Z';

test('docs/schema/training-plan.schema.json is that of the code (npm run generate)', async () => {
  const file = new URL('../../../docs/schema/training-plan.schema.json', import.meta.url);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(
    toJsonSchema(TrainingPlan, 'inferdrop plan.json of a training', 'output'),
  );
});

const damagedIn = (schema: z.ZodType, document: object, change: object): string =>
  schema
    .safeParse({ ...document, ...change })
    .error!.issues.map(({ path }) => path.join('.'))
    .join();

test.each<[string, object]>([
  ['schema', { schema: 2 }],
  ['run', { run: 'clothes' }],
  ['createdAt', { createdAt: 'today' }],
  ['source.files', { source: { ...trainingPlan().source, files: [] } }],
  ['instances.types', { instances: { ...trainingPlan().instances, types: [] } }],
  ['instances.count', { instances: { ...trainingPlan().instances, count: 0 } }],
  ['channels', { channels: [] }],
  ['limits.maxRunSeconds', { limits: { ...trainingPlan().limits, maxRunSeconds: 0 } }],
  ['limits.maxWaitSeconds', { limits: { ...trainingPlan().limits, maxWaitSeconds: 0.5 } }],
  ['spot.maxWaitSeconds', { spot: { maxWaitSeconds: 0 } }],
  ['after.promote', { after: { ...trainingPlan().after, promote: 'always' } }],
  ['incumbent.sha256', { incumbent: { sha256: 'a'.repeat(63), etag: 'e', content: null } }],
])('a plan with a damaged %s is not read', (field, change) => {
  expect(damagedIn(TrainingPlan, trainingPlan(), change)).toBe(field);
});

test.each<[string, object]>([
  ['kind', { kind: 'transform' }],
  ['attempt', { attempt: 0 }],
  ['instanceCount', { instanceCount: 0 }],
  ['status', { status: 'Deleting' }],
  ['startedAt', { startedAt: 'today' }],
  ['billableSeconds', { billableSeconds: -1 }],
  ['costUsd', { costUsd: undefined }],
  ['phases.0.startedAt', { phases: [{ status: 'Training' }] }],
])('the record of a job with a damaged %s is not read', (field, change) => {
  expect(damagedIn(TrainingJobRecord, trainingJobRecord(), change)).toBe(field);
});

test.each<[string, object]>([
  ['sha256', { sha256: `${'a'.repeat(64)}b` }],
  ['bytes', { bytes: 0 }],
  ['files', { files: 0 }],
])('the record of a source with a damaged %s is not read', (field, change) => {
  const document = { schema: 1, sha256: 'a'.repeat(64), bytes: 1, files: 1 };
  expect(damagedIn(PackagedSource, document, change)).toBe(field);
});

test.each<[string, object]>([
  ['final.loss', { final: { loss: 'nan' } }],
  ['series.0.points.0.value', { series: [{ metric: 'loss', host: 'a', count: 1, points: [{ at: AT }] }] }],
  ['logEnd.0.lines', { logEnd: [{ host: 'a' }] }],
  ['isWhole', { isWhole: undefined }],
])('metrics with a damaged %s are not read', (field, change) => {
  const document = {
    schema: 1,
    run: 'training/clothes/monday/000001',
    jobName: 'j',
    isWhole: true,
    final: { loss: null },
    series: [],
    logEnd: [],
    runtime: null,
    packages: [],
  };
  expect(TrainingMetrics.parse(document)).toEqual(document);
  expect(damagedIn(TrainingMetrics, document, change)).toBe(field);
});
