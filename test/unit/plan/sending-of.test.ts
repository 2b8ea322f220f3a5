import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bundleHandlerModule } from '../../../scripts/bundle-handler.ts';
import { bundleFiles } from '../../../src/model/bundle/bundle-files.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { sendingOf } from '../../../src/plan/sending-of.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

const configOf = ({ transform = {}, ...settings }: Record<string, unknown> = {}) =>
  PipelineConfig.parse({
    ...PIPELINE,
    transform: { bundle: 'auto', ...(transform as object) },
    ...settings,
  });
const MANY = { objects: 256, bytes: 256 * 64_000 };

test('nobody is sent bundles who has not asked for them', () => {
  const { outputs, bundle, notes } = sendingOf(PipelineConfig.parse(PIPELINE), MANY);
  expect([outputs, bundle, notes]).toEqual(['objects', null, []]);
});

test('many small files are, within the payload of a pipeline', () => {
  expect(sendingOf(configOf(), MANY)).toMatchObject({
    outputs: 'bundles',
    bundle: { inputs: 64, bytes: 4_000_000 },
    notes: [expect.stringContaining('256 files are sent in bundles of up to 64')],
  });
  expect(sendingOf(configOf({ transform: { maxPayloadInMB: 1 } }), MANY).bundle).toEqual({
    inputs: 64,
    bytes: 900_000,
  });
});

test.each<[string, Record<string, unknown>, { objects: number; bytes: number }, string]>([
  ['few files', {}, { objects: 255, bytes: 100 }, 'there are 255'],
  ['large files', {}, { objects: 256, bytes: 256 * 64_001 }, 'they have 64,001 bytes on average'],
  ['PyTorch', { model: { framework: 'pytorch', frameworkVersion: '2.6.0' } }, MANY, '"tensorflow"'],
  ['records', { transform: { contentType: 'text/csv', splitType: 'Line' } }, MANY, 'cuts each into records'],
  ['tars for the model', { transform: { contentType: 'application/x-tar' } }, MANY, 'they are tars already'],
  ['filters', { transform: { contentType: 'text/csv', inputFilter: '$[1:]' } }, MANY, 'single files alone'],
  ['rounds', { gate: { minAccuracy: 0.5, decide: 'early' } }, MANY, 'gate.decide is "early"'],
])('%s are sent one by one, and a note says why', (_name, settings, work, why) => {
  const { outputs, bundle, notes } = sendingOf(configOf(settings), work);
  expect([outputs, bundle]).toEqual(['objects', null]);
  expect(notes).toEqual([expect.stringContaining(why)]);
});

test('the handler that is added is the one of the container (node scripts/write-bundle-handler.ts)', async () => {
  const file = new URL('../../../src/model/bundle/handler-text.ts', import.meta.url);
  expect((await readFile(file, 'utf8')) === (await bundleHandlerModule())).toBe(true);
  const own = 'def handler(data, context): pass\n';
  const added = bundleFiles(new Map([['code/inference.py', own]]));
  expect(added.map(({ name }) => name)).toEqual(['code/inferdrop_served.py', 'code/inference.py']);
  expect(Buffer.from(added[0]!.body).toString()).toBe(own);
});
