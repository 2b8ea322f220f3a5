import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bundleHandlerModule } from '../../../scripts/bundle-handler.ts';
import { bundleFiles } from '../../../src/frameworks/bundle-files.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { sagemakerPlanning } from '../../../src/plan/engine/sagemaker-planning.ts';
import { sendingOf } from '../../../src/plan/engine/sending-of.ts';
import { roundUsd } from '../../../src/price/round-usd.ts';
import { BundleCutter } from '../../../src/transform/bundle-cutter.ts';
import { settingsOf } from '../../../src/transform/engine-settings.ts';
import type { BundleForm } from '../../../src/transform/request-limits.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

const configOf = ({ transform = {}, ...settings }: Record<string, unknown> = {}) =>
  PipelineConfig.parse({
    ...PIPELINE,
    transform: transform as object,
    ...settings,
  });
const MANY = { objects: 256, bytes: 256 * 64_000 };
const PYTORCH = { framework: 'pytorch', frameworkVersion: '2.6.0' };

test('nobody is sent bundles who has set "never", nor an archive that does not answer them', () => {
  const { outputs, bundle, notes } = sendingOf(configOf({ transform: { bundle: 'never' } }), MANY);
  expect([outputs, bundle, notes]).toEqual(['objects', null, []]);
  expect(sendingOf(configOf(), MANY, 'the first bundle has no usable answer (415)')).toEqual({
    outputs: 'objects',
    bundle: null,
    notes: ['files are sent one by one: the first bundle has no usable answer (415)'],
  });
});

test('many small files are, within the payload of a pipeline', () => {
  expect(sendingOf(configOf(), MANY)).toMatchObject({
    outputs: 'bundles',
    bundle: { form: 'tar', inputs: 64, bytes: 2_000_000 },
    notes: [expect.stringContaining('files are sent in bundles of up to 64')],
  });
  expect(sendingOf(configOf({ model: PYTORCH }), MANY).outputs).toBe('bundles');
  expect(sendingOf(configOf({ model: { ...PYTORCH, framework: 'onnx' } }), MANY).outputs).toBe('bundles');
  expect(sendingOf(configOf({ transform: { maxPayloadInMB: 1 } }), MANY).bundle).toEqual({
    form: 'tar',
    inputs: 64,
    bytes: 900_000,
  });
});

test('records of a table are, however few and large they are', () => {
  const table = { columns: { features: ['x'] }, gate: { minAccuracy: 0.5, decide: 'early' } };
  const config = configOf({ ...table, transform: { contentType: 'text/csv' } });
  const few = { objects: 2, bytes: 200_000 };
  expect(sendingOf(config, few)).toEqual({
    outputs: 'bundles',
    bundle: { form: 'records', inputs: 1_000, bytes: 4_000_000 },
    notes: [expect.stringContaining('records are sent in bundles of up to 1,000, each one request')],
  });
  const { settings } = sagemakerPlanning.jobSettings(config, 100_000, [], sendingOf(config, few).bundle);
  // Each character may become six, and 12 MB times the eight requests that four cores are given are within 100.
  expect(settings).toMatchObject({ maxPayloadInMB: 13, maxConcurrentTransforms: 7 });
  const small = configOf({ ...table, transform: { contentType: 'text/csv', maxPayloadInMB: 1 } });
  expect(sendingOf(small, few).bundle).toMatchObject({ bytes: 300_000 });
  expect(sagemakerPlanning.largestAllowedBytes(small, sendingOf(small, few).bundle)).toBe(165_813);
});

test.each([
  [{ transform: { bundle: 'never' } }, 'transform.bundle is "never"'],
  [{ model: { ...PIPELINE.model, image: 'a/b:1' } }, 'model.image names an image of your own'],
])('records are lines of objects without a handler that answers each by itself: %j', (change, why) => {
  const { transform, ...model } = { transform: {}, ...change };
  const columns = { features: ['x'] };
  const config = configOf({ ...model, columns, transform: { contentType: 'text/csv', ...transform } });
  const sending = sendingOf(config, { objects: 5_000, bytes: 1e6 });
  expect(sending).toMatchObject({
    outputs: 'lines',
    bundle: { form: 'lines', inputs: 1_000, bytes: 4_000_000 },
    notes: [expect.stringContaining(`${why}`)],
  });
  expect(sending.notes[0]).toContain('records are sent as lines of objects, up to 1,000 in each');
  const { settings } = sagemakerPlanning.jobSettings(config, 100, [], sending.bundle);
  expect(settings).toMatchObject({ maxPayloadInMB: 6, maxConcurrentTransforms: 8 });
  expect(sagemakerPlanning.largestAllowedBytes(config, sending.bundle)).toBe(6_000_000);
});

test('photographs are sent in bundles by their bytes, and the quote counts these', () => {
  const config = configOf();
  const work = { objects: 10_000, bytes: 10_000 * 100_000 };
  const { bundle } = sendingOf(config, work);
  expect(bundle).toMatchObject({ form: 'tar', bytes: 2_000_000 });
  const { settings: engine } = sagemakerPlanning.jobSettings(config, 150_000, [], bundle);
  // Eight requests, two for each core, of the largest bundle.
  expect(engine).toMatchObject({ maxPayloadInMB: 3, maxConcurrentTransforms: 8 });
  const usd = sagemakerPlanning.quoteUsd({ pricesUsd: { 'ml.m5.xlarge': 0 } }, [
    { ...work, engine, quotedSeconds: 60 },
  ]);
  // 527 bundles of 19: each photograph has a header in its tar, and fills its last block.
  expect(usd).toBe(roundUsd(527 * (0.000005 + 0.0000002 + 0.000075)));
});

test.each<[BundleForm, number]>([
  ['tar', 3_000],
  ['tar', 100_000],
  ['records', 1_500],
  ['records', 3_000],
  ['lines', 4_500],
])('a quote counts the bundles that are cut: %s of %i bytes each', (form, size) => {
  const bundle = { form, inputs: 1_000, bytes: 2_000_000 };
  const cutter = new BundleCutter(bundle);
  for (let at = 0; at < 10_000; at++) cutter.add({ name: `${at}`, size }, 1);
  const { settings: engine } = sagemakerPlanning.jobSettings(configOf(), size, [], bundle);
  const work = { objects: 10_000, bytes: 10_000 * size };
  const usd = sagemakerPlanning.quoteUsd({ pricesUsd: { 'ml.m5.xlarge': 0 } }, [
    { ...work, engine, quotedSeconds: 60 },
  ]);
  expect(usd).toBe(roundUsd(cutter.finish().length * (0.000005 + 0.0000002 + 0.000075)));
});

test('a long record goes in a job of its own only if that lets more bundles be sent at once', () => {
  const config = configOf({ columns: { features: ['x'] }, transform: { contentType: 'text/csv' } });
  const { bundle } = sendingOf(config, MANY);
  const gains = (bytes: number) => sagemakerPlanning.gainsApart(config, 400, bytes, bundle);
  // A bundle takes 4 MB, however long its records are up to there.
  expect([gains(1_500_000), gains(5_900_000)]).toEqual([false, true]);
  expect(sagemakerPlanning.gainsApart(config, 400, 1_500_000)).toBe(true);
});

test('a quote counts bundles: requests at once, and what it costs to make them', () => {
  const config = configOf();
  const { bundle } = sendingOf(config, MANY);
  const work = { objects: 6_400_000, bytes: 6_400_000 };
  const usd = [null, bundle].map((sent) => {
    const { settings: engine } = sagemakerPlanning.jobSettings(config, 1_000, [], sent);
    return sagemakerPlanning.quoteUsd({ pricesUsd: { [settingsOf('sagemaker', engine).instanceType]: 0 } }, [
      { ...work, engine, quotedSeconds: sagemakerPlanning.quoteSeconds(work, engine) },
    ]);
  });
  // 100,000 writes, invocations and three transitions.
  expect(usd).toEqual([0, 0.5 + 0.02 + 7.5]);
  const { settings } = sagemakerPlanning.jobSettings(config, 100, [], {
    form: 'records',
    inputs: 1_000,
    bytes: 1_000_000,
  });
  const price = { pricesUsd: { [settingsOf('sagemaker', settings).instanceType]: 0 } };
  const quoted = { ...work, engine: settings, quotedSeconds: 60 };
  expect(sagemakerPlanning.quoteUsd(price, [quoted])).toBeCloseTo(0.032 + 0.00128 + 0.48, 3);
});

test.each<[string, Record<string, unknown>, { objects: number; bytes: number }, string]>([
  ['few files', {}, { objects: 255, bytes: 100 }, 'there are 255'],
  [
    'large files',
    {},
    { objects: 256, bytes: 256 * 1_000_000 },
    'they have 1,000,000 bytes on average, so that no two fit into a request of 2,000,000',
  ],
  ['an image of their own', { model: { ...PIPELINE.model, image: 'a/b:1' } }, MANY, 'an image of your own'],
  ['an old PyTorch', { model: { framework: 'pytorch', frameworkVersion: '1.5.0' } }, MANY, '1.6 and later'],
  [
    'a script of another name',
    { model: { ...PYTORCH, environment: { SAGEMAKER_PROGRAM: 'serve.py' } } },
    MANY,
    'SAGEMAKER_PROGRAM names serve.py',
  ],
  [
    'records',
    { transform: { contentType: 'text/csv', splitType: 'TFRecord' } },
    MANY,
    'cuts each into records',
  ],
  ['tars for the model', { transform: { contentType: 'application/x-tar' } }, MANY, 'they are tars already'],
  ['rounds', { gate: { minAccuracy: 0.5, decide: 'early' } }, MANY, 'gate.decide is "early"'],
])('%s are sent one by one, and a note says why if they are many', (_name, settings, work, why) => {
  const { outputs, bundle, notes } = sendingOf(configOf(settings), work);
  expect([outputs, bundle, notes]).toEqual(['objects', null, []]);
  const many = { objects: 10_000, bytes: (work.bytes / work.objects) * 10_000 };
  if (work.objects >= MANY.objects)
    expect(sendingOf(configOf(settings), many).notes).toEqual([expect.stringContaining(why)]);
});

test('the handlers that are added are those of the containers (npm run generate)', async () => {
  const file = new URL('../../../src/frameworks/bundle-handlers.ts', import.meta.url);
  expect((await readFile(file, 'utf8')) === (await bundleHandlerModule())).toBe(true);
  const own = 'def handler(data, context): pass\n';
  const added = bundleFiles('tensorflow', own);
  expect(added.map(({ name }) => name)).toEqual([
    'code/inferdrop_served.py',
    'code/inferdrop_bundle.py',
    'code/inference.py',
  ]);
  expect(Buffer.from(added[0]!.body).toString()).toBe(own);
  expect(bundleFiles('pytorch', undefined).map(({ name }) => name)).not.toContain('code/inferdrop_served.py');
});
