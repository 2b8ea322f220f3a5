import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { planJson } from '../../../src/app/records/plan.ts';
import { refusalJson } from '../../../src/app/records/refusal.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { toRunId } from '../../../src/run/run-id.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { jobRecord } from '../../support/job-record.ts';
import { runSummary } from '../../support/run-summary.ts';

/** Plans a drop of JSON for a SavedModel without a script. */
async function plan({
  transform = {},
  model = {},
  labels = {},
  files = { 'a.json': 5, 'b.json': 5 },
  archive = { '1/saved_model.pb': 'graph' },
  limits = {},
  region = 'us-east-1',
  memoryMB = 1769,
}: {
  transform?: object;
  model?: object;
  labels?: object;
  files?: Record<string, number>;
  archive?: Record<string, string>;
  limits?: object;
  region?: string;
  memoryMB?: number;
}) {
  const store = await frozenDrop({
    files,
    archive: await modelArchive(archive),
    pipeline: {
      model: { ...PIPELINE.model, ...model },
      labels: { ...PIPELINE.labels, ...labels },
      transform: { engine: 'lambda', contentType: 'application/json', ...transform },
      limits,
    },
  });
  const services = { store, clock: () => NOW, settings: { ...SETTINGS, region, predictMemoryMB: memoryMB } };
  await planRun({ run: PARTS }, services).catch((error: Error) => {
    if (error.name !== 'PlanRefused') throw error;
  });
  const { problems = [] } = JSON.parse(store.text(bucketLayout.problems(PARTS)) ?? '{}');
  const error = problems.map(({ field, message }: any) => `${field} ${message}`).join('\n');
  const text = store.text(bucketLayout.plan(PARTS));
  return { store, error, plan: text === undefined ? undefined : Plan.parse(JSON.parse(text)) };
}

/** An invocation, and five transitions: a child's start, three states and end. */
const PER_BUNDLE = 0.2 / 1e6 + (5 * 0.025) / 1000;

test('a run of engine lambda is planned in bundles, and quoted by memory and time', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}.json`, 5]));
  const { plan: planned, store } = await plan({ files });
  expect(planned).toMatchObject({
    engine: { name: 'lambda', memoryMB: 1769, maxConcurrency: 8 },
    outputs: 'bundles',
    bundle: { inputs: 125 },
    transform: { largestAllowedBytes: 100_000_000 },
  });
  // 100 s of work and 8 starts of 5 s on 1.73 GB at $0.0000133334 a GB-second, and 8 bundles.
  expect(planned!.cost.quoteUsd).toBeCloseTo(140 * (1769 / 1024) * 0.0000133334 + 8 * PER_BUNDLE, 4);
  expect(planned!.jobs[0]!.quotedSeconds).toBe(18);
  expect(JSON.parse(store.text(bucketLayout.bundleItems(PARTS, 'parts/1'))!)).toHaveLength(8);
});

test('a function with more memory is quoted by it', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}.json`, 5]));
  const usual = await plan({ files });
  const larger = await plan({ files, memoryMB: 3538 });
  expect(larger.plan!.engine).toMatchObject({ memoryMB: 3538 });
  const [less, more] = [usual.plan!.cost.quoteUsd!, larger.plan!.cost.quoteUsd!];
  expect(more - 8 * PER_BUNDLE).toBeCloseTo(2 * (less - 8 * PER_BUNDLE), 3);
});

test('the stack caps the functions at once, and a pipeline may ask for fewer', async () => {
  const capped = await plan({ transform: { maxConcurrency: 500 } });
  expect(capped.plan!.engine).toMatchObject({ maxConcurrency: 8 });
  const fewer = await plan({ transform: { maxConcurrency: 3 } });
  expect(fewer.plan!.engine).toMatchObject({ maxConcurrency: 3 });
});

test.each([
  [
    { model: { framework: 'pytorch', frameworkVersion: '2.6.0' } },
    'model.framework must be "onnx" or "tensorflow"',
  ],
  [{ model: { image: '000000000000.dkr.ecr.us-east-1.amazonaws.com/own:1' } }, 'model.image must be null'],
  [{ transform: { splitType: 'TFRecord' } }, 'transform.splitType must be "None"'],
  [{ transform: { batchStrategy: 'MultiRecord' } }, 'transform.batchStrategy must be "SingleRecord"'],
  [
    { archive: { '1/saved_model.pb': 'graph', 'code/inference.py': 'import numpy\ndef handler(): pass' } },
    'has a script that needs numpy, and functions run scripts in Pyodide',
  ],
  [
    {
      archive: {
        '1/saved_model.pb': 'graph',
        'code/inference.py': 'def handler(): pass',
        'code/requirements.txt': 'Pillow==9\n',
      },
    },
    'has a script that needs Pillow==9',
  ],
  [{ region: 'ap-east-1' }, 'the price of Lambda in ap-east-1'],
])('what needs SageMaker is refused before the run: %j', async (asked, message) => {
  const { error, plan: planned } = await plan(asked);
  expect(planned).toBeUndefined();
  expect(error).toContain(message);
});

test('a script that needs the standard library alone is planned', async () => {
  const archive = {
    '1/saved_model.pb': 'graph',
    'code/inference.py': 'import json, own\nimport os.path\ndef handler(): pass',
    'code/own.py': '',
  };
  const { plan: planned } = await plan({ archive });
  expect(planned!.engine.name).toBe('lambda');
});

test('auto takes functions for few inputs and instances for many, and for a script that needs packages', async () => {
  const auto = { transform: { engine: 'auto' } };
  const few = await plan(auto);
  expect(few.plan!.engine.name).toBe('lambda');
  expect(few.plan!.notes.join('\n')).toContain('lambda is taken, which is cheaper');
  const files = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`${at}.json`, 5]));
  const many = await plan({ ...auto, files });
  expect(many.plan!.engine.name).toBe('sagemaker');
  expect(many.plan!.outputs === 'bundles').toBe(many.plan!.bundle !== null);
  expect(many.plan!.notes.join('\n')).toContain('sagemaker is taken, which is cheaper');
  const script = { '1/saved_model.pb': 'graph', 'code/inference.py': 'import PIL\ndef handler(): pass' };
  const python = await plan({ ...auto, archive: script });
  expect(python.plan!.engine.name).toBe('sagemaker');
  expect(python.plan!.notes.join('\n')).toContain('since lambda cannot run this');
});

test('auto takes instances for a model that PrepareModel has refused for functions, and for no other model', async () => {
  const { store, plan: first } = await plan({ transform: { engine: 'auto' } });
  expect(first).toMatchObject({ isEngineChosen: true, engine: { name: 'lambda' } });
  const { sha256, artifact } = first!.model;
  const again = async (digest: string) => {
    const refusal = { schema: 1 as const, plannedAt: first!.createdAt, sha256: digest, artifact };
    await refusalJson(PARTS).write(store, { ...refusal, reason: 'it has MatrixInverse' });
    await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
    return planJson(PARTS).require(store);
  };
  const other = await again('b'.repeat(64));
  expect(other.engine.name).toBe('lambda');
  const refused = await again(sha256);
  expect(refused.engine.name).toBe('sagemaker');
  expect(refused.notes[0]).toBe(
    `transform.engine is auto: sagemaker is taken, since lambda cannot run this: ${artifact} it has MatrixInverse`,
  );
});

test('the quote says what it assumes, and takes the speed of an earlier run where one shows it', async () => {
  const first = await plan({});
  expect(first.plan!.notes.join('\n')).toContain('the quote assumes 0.1 s an input');
  const next = async (costUsd: number) => {
    const { store } = await plan({});
    const earlier = { ...PARTS, drop: 'sunday' };
    store.put(bucketLayout.plan(earlier), JSON.stringify({ ...first.plan, run: toRunId(earlier) }));
    const record = jobRecord({
      engine: first.plan!.engine as any,
      objects: 1_000,
      status: 'Completed',
      costUsd,
    });
    store.put(bucketLayout.job(earlier, 1), JSON.stringify(record));
    store.put(
      bucketLayout.indexEntry(earlier, NOW),
      runSummary({ run: toRunId(earlier), endedAt: NOW.toISOString(), total: 1_000, costUsd, gate: 'none' }),
    );
    await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
    return Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  };
  // 50 s of 1.73 GB for 1,000 inputs.
  const measured = await next(50 * (1769 / 1024) * 0.0000133334);
  expect(measured.notes.join('\n')).toContain(
    '20 inputs a second of each function, measured by shapes/sunday/000001',
  );
  expect(measured.jobs[0]!.engine.measured!.inputsPerSecond).toBeCloseTo(20, 1);
  // At five seconds each, more would take longer than a bundle may.
  const slow = await next(5_000 * (1769 / 1024) * 0.0000133334);
  expect(slow.bundle!.inputs).toBeLessThanOrEqual(24);
});

test('no image of AWS is spoken of where no container starts', async () => {
  const old = { model: { frameworkVersion: '2.11.0' } };
  const notes = async (engine: string) =>
    (await plan({ ...old, transform: { engine } })).plan!.notes.join('\n');
  expect(await notes('sagemaker')).toContain('container has had no security patches');
  expect(await notes('lambda')).not.toContain('container');
});
