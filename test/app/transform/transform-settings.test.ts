import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { checkTransform } from '../../../src/app/transform/check-transform.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { settingsOf } from '../../../src/transform/engine-settings.ts';
import { prepare, start } from '../../support/drive-transform.ts';
import {
  type DropFixture,
  frozenDrop,
  NOW,
  PARTS,
  PIPELINE,
  RUN,
  SERVABLE,
  SETTINGS,
} from '../../support/drop-fixture.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import type { MemoryObjectStore, MemoryObjectStoreOptions } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { withProblemLines } from '../../support/problem-lines.ts';

const clock = () => NOW;

async function plan(
  fixture: DropFixture = {},
  settings = SETTINGS,
  change?: (store: MemoryObjectStore) => void,
) {
  const store = await frozenDrop(fixture);
  change?.(store);
  await withProblemLines(planRun({ run: PARTS }, { store, clock, settings }));
  const sagemaker = memorySageMaker({ clock });
  const engines = memoryEngines({ store, sagemaker, clock });
  return { store, sagemaker, engines, plan: Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!)) };
}

const started = async ({ store, sagemaker }: Awaited<ReturnType<typeof plan>>) => {
  const { jobName } = await start({ store, sagemaker });
  return sagemaker.jobs.get(jobName)!.spec;
};

test('a job is asked for everything that the plan says, nothing left to the service', async () => {
  const run = await plan();
  expect(await started(run)).toEqual({
    name: expect.stringMatching(/^inferdrop-shapes-monday-1-[0-9a-f]{12}$/),
    modelName: run.plan.model.name,
    input: { kind: 'manifest', uri: `s3://bucket/${bucketLayout.partInput(PARTS, 1)}` },
    contentType: 'application/x-image',
    splitType: 'None',
    outputUri: `s3://bucket/runs/${RUN}/predictions`,
    accept: 'application/json',
    assembleWith: 'None',
    instanceType: 'ml.m5.xlarge',
    instanceCount: 1,
    maxConcurrentTransforms: 64,
    maxPayloadInMB: 1,
    batchStrategy: 'SingleRecord',
    invocationsTimeoutInSeconds: 600,
    invocationsMaxRetries: 3,
    environment: settingsOf('sagemaker', run.plan.engine).environment,
    tags: {
      'inferdrop:application': 'bucket',
      'inferdrop:run': RUN,
      'inferdrop:pipeline': 'shapes',
      'inferdrop:attempt': '1',
      'inferdrop:planned-at': NOW.toISOString(),
    },
  });
});

test.each([
  ['ml.m5.xlarge', 'key'],
  ['ml.g4dn.xlarge', undefined],
])('a key of one’s own encrypts outputs, and the volume of %s where it can', async (instanceType, volume) => {
  const pipeline = { ...PIPELINE, transform: { instanceTypes: [instanceType] } };
  const spec = await started(await plan({ pipeline }, { ...SETTINGS, kmsKeyArn: 'key' }));
  expect([spec.outputKmsKeyArn, spec.volumeKmsKeyArn]).toEqual(['key', volume]);
});

test('a model runs in the stack’s network', async () => {
  const vpc = { subnets: ['subnet-1'], securityGroups: ['sg-1'] };
  const run = await plan({}, { ...SETTINGS, vpc });
  const { modelName } = await prepare(run);
  expect(run.sagemaker.models.get(modelName!)).toMatchObject({ vpc });
});

test('a model may lie in another bucket that the stack reads', async () => {
  const archive = await modelArchive(SERVABLE);
  const pipeline = { ...PIPELINE, model: { ...PIPELINE.model, artifact: 's3://other/deep/model.tar.gz' } };
  const run = await plan({ pipeline, archive: null }, SETTINGS, (store) =>
    store.in('other').put('deep/model.tar.gz', archive),
  );
  await prepare(run);
  expect(run.store.text(bucketLayout.model(run.plan.model.sha256))).toBe(archive.toString());
});

test('a model that was replaced after the plan, in a bucket without versions, is not taken for the planned one', async () => {
  const run = await plan();
  const key = bucketLayout.plan(PARTS);
  const { artifactVersion: _version, ...model } = run.plan.model;
  run.store.put(key, JSON.stringify({ ...run.plan, model: { ...model, artifactVersion: null } }));
  run.store.put(bucketLayout.pipelineModel('shapes'), await modelArchive({ ...SERVABLE, more: 'x' }));
  await expect(prepare(run)).rejects.toMatchObject({ name: 'ModelChanged' });
});

test.each(['HEAD', 'GET'] as const)(
  'an archive that is replaced right after a %s is kept under the digest of its own bytes',
  async (operation) => {
    const key = bucketLayout.pipelineModel('shapes');
    const second = await modelArchive({ ...SERVABLE, more: 'x' });
    let made: MemoryObjectStore | undefined;
    const before: MemoryObjectStoreOptions['before'] = (request, phase) => {
      if (request.key === key && request.operation === operation && phase === 'answer')
        made?.put(key, second);
    };
    const run = await plan({ store: { before } }, SETTINGS, (store) => void (made = store));
    await prepare(run);
    const { sha256 } = run.plan.model;
    await expect(run.store.keptSha256(bucketLayout.model(sha256))).resolves.toBe(sha256);
  },
);

test.each([
  [{ instanceTypes: ['ml.g4dn.xlarge', 'ml.g5.xlarge'] }, 'al2-ami-sagemaker-batch-gpu-535'],
  [
    { instanceTypes: ['ml.g5.xlarge'], amiVersion: 'al2-ami-sagemaker-batch-gpu-470' },
    'al2-ami-sagemaker-batch-gpu-470',
  ],
  [{ instanceTypes: ['ml.m5.xlarge'] }, undefined],
])('a job of %j runs on the machine image %s', async (transform, ami) => {
  expect((await started(await plan({ pipeline: { ...PIPELINE, transform } }))).amiVersion).toBe(ami);
});

test('an archive that is there under another one’s digest is replaced', async () => {
  const run = await plan();
  const kept = bucketLayout.model(run.plan.model.sha256);
  run.store.put(kept, 'something else');
  await prepare(run);
  expect(run.store.text(kept)).toBe(run.store.text(bucketLayout.pipelineModel('shapes')));
});

test('an image of one’s own is taken as it is, and its archive may look as it likes', async () => {
  const model = { ...PIPELINE.model, frameworkVersion: '9.9.9', image: 'registry/image:tag' };
  const { plan: made } = await plan({
    pipeline: { ...PIPELINE, model },
    archive: await modelArchive({ weights: 'x' }),
  });
  expect(made.model.imageUri).toBe('registry/image:tag');
});

test('a plan with an endpoint has its container too, and the note about the accelerator', async () => {
  const endpoint = {
    deploy: 'when-gate-passes',
    acceleratorType: 'ml.eia1.large',
    onRetiredAccelerator: 'replace',
  };
  const { plan: made } = await plan({ pipeline: { ...PIPELINE, endpoint, gate: { minAccuracy: 0.5 } } });
  expect(made.endpoint).toMatchObject({
    instanceType: 'ml.g4dn.xlarge',
    acceleratorType: null,
    imageUri: expect.stringMatching(/:2\.20-gpu-/),
  });
  expect(made.notes).toEqual([
    expect.stringContaining('retired Elastic Inference'),
    expect.stringContaining('keeps its old instances for 5 min'),
  ]);
});

test('a drop that says itself what is right is not deployed', async () => {
  const { plan: made } = await plan({
    pipeline: { ...PIPELINE, endpoint: { deploy: 'when-gate-passes' }, gate: { minAccuracy: 0.5 } },
    job: { labels: { classes: ['harmless', 'harmful'] } },
  });
  expect(made.endpoint?.deploy).toBe('never');
  expect(made.judgedByDrop).toEqual(['labels.classes']);
  expect(made.notes).toContainEqual(
    expect.stringContaining('this run cannot be served: its job.json sets labels.classes'),
  );
});

test('a quote above the bound is noted', async () => {
  const { plan: made } = await plan({ pipeline: { ...PIPELINE, limits: { maxCostUsd: 0.001 } } });
  expect(made.notes.join()).toContain('is above limits.maxCostUsd ($0.0010)');
});

test.each([
  '{',
  '{"usdPerHour":{"ml.m5.xlarge":-1},"date":"2026-01-01"}',
  '{"date":"yesterday","usdPerHour":{}}',
])('pipelines/prices.json with %s is refused', async (text) => {
  const refused = plan({}, SETTINGS, (store) => store.put(bucketLayout.prices(), text));
  await expect(refused).rejects.toMatchObject({
    name: 'PlanRefused',
    message: expect.stringContaining('pipelines/prices.json is no'),
  });
});

test('problems that the drop was frozen with are reported with all others', async () => {
  const store = await frozenDrop({ pipeline: { ...PIPELINE, extra: 1 } });
  const key = bucketLayout.frozen(PARTS);
  const problem = { file: 'job.json', field: 'input.manifest', value: 's3://x/y', message: 'does not exist' };
  store.put(key, JSON.stringify({ ...JSON.parse(store.text(key)!), problems: [problem] }));
  const planning = withProblemLines(planRun({ run: PARTS }, { store, clock, settings: SETTINGS }));
  await expect(planning).rejects.toMatchObject({
    message:
      'job.json: input.manifest does not exist\npipeline.json: extra is not a known field; known here: $schema, ' +
      'model, transform, columns, labels, report, gate, endpoint, drop, sample, limits, training',
  });
});

test('the progress of a large run is estimated from 200 of its inputs', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20_100 }, (_, index) => [`${String(index).padStart(6, '0')}.png`, 1]),
  );
  const run = await plan({ files, pipeline: { ...PIPELINE, transform: { bundle: 'never' } } });
  await started(run);
  for (const name of Object.keys(files).slice(0, 10_050))
    run.store.put(`${bucketLayout.predictions(PARTS)}${name}.out`);
  run.store.requests.length = 0;
  const input = { run: PARTS, attempt: 1, poll: 0 };
  const checked = await checkTransform(input, { ...run, clock });
  expect(checked).toMatchObject({ status: 'running', progress: { total: 20_100, approximate: true } });
  expect(checked.status === 'running' && Math.abs(checked.progress.done - 10_050)).toBeLessThanOrEqual(101);
  expect(run.store.requests.filter(({ operation }) => operation === 'HEAD')).toHaveLength(200);
  expect(run.store.requests.filter(({ operation }) => operation === 'LIST')).toEqual([]);
});

test('a job that SageMaker does not know ends the run by its name', async () => {
  const run = await plan();
  const input = { run: PARTS, attempt: 1, poll: 0 };
  await expect(checkTransform(input, { ...run, clock })).rejects.toMatchObject({
    name: 'TransformJobMissing',
  });
});

test('a step without the files of the steps before it says which is missing', async () => {
  const store = await frozenDrop();
  await expect(prepare({ store, sagemaker: memorySageMaker() })).rejects.toMatchObject({
    name: 'RunFileMissing',
    message: expect.stringContaining(bucketLayout.plan(PARTS)),
  });
});
