import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { type EndpointLaptop, PIPELINE, startEndpointLaptop } from '../support/endpoint-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const THEIRS = 'theirs';

let laptop: EndpointLaptop;
beforeAll(async () => {
  laptop = await startEndpointLaptop({
    machine: { legacyElasticInference: true },
    configure: (config) => {
      config.model.frameworkVersion = '2.3.0';
      config.gate.minInputs = 20;
      config.endpoint = {
        deploy: 'when-gate-passes',
        instanceType: 'ml.m5.xlarge',
        acceleratorType: 'ml.eia2.medium',
        onRetiredAccelerator: 'send',
      };
    },
  });
  await laptop.until(async () => ((await laptop.served())?.status === 'in-service' ? true : undefined));
});
afterAll(() => laptop.close());

const migrate = async (apply: boolean) => {
  const terminal = silentTerminal();
  const code = await runCommandLine(
    ['accelerators', 'migrate', '--json', ...(apply ? ['--apply'] : [])],
    terminal,
  );
  return { code, uses: JSON.parse(terminal.lines.find((line) => line.startsWith('['))!) };
};
const served = async () => {
  const found = (await laptop.served())!;
  const variant = found.variants[found.live!]!;
  const config = await laptop.application.endpoints.describeConfig(variant.configName);
  const model = await laptop.application.sagemaker.describeModel(variant.modelName);
  return { hardware: config!.variants[0]!.hardware, image: model!.imageUri };
};

it('an accelerator is sent with its own image, where the stack still takes it', async () => {
  expect(await served()).toEqual({
    hardware: expect.objectContaining({ instanceType: 'ml.m5.xlarge', acceleratorType: 'ml.eia2.medium' }),
    image: expect.stringContaining('tensorflow-inference-eia:2.3.0-cpu'),
  });
  expect((await laptop.predict()).status).toBe(200);
});

it('migrate finds it in the pipeline, in our endpoint and in one of others, and changes nothing', async () => {
  const { endpoints } = laptop.application;
  const before = await served();
  const { variants } = (await laptop.served())!;
  await endpoints.createConfig({
    name: THEIRS,
    variantName: 'all',
    modelName: Object.values(variants)[0]!.modelName,
    hardware: before.hardware,
    kmsKeyArn: null,
    tags: {},
  });
  await endpoints.create({ name: THEIRS, configName: THEIRS, tags: {} });
  const { code, uses } = await migrate(false);
  expect(code).toBe(0);
  expect(uses).toHaveLength(3);
  expect(uses).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'pipeline', name: PIPELINE, becomes: 'ml.g4dn.xlarge', ours: true }),
      expect.objectContaining({ kind: 'endpoint', pipeline: PIPELINE, ours: true }),
      expect.objectContaining({ kind: 'endpoint', name: THEIRS, ours: false }),
    ]),
  );
  expect(await served()).toEqual(before);
});

it('migrate --apply edits the pipeline and moves our endpoint alone, which answers as before', async () => {
  const { store, endpoints } = laptop.application;
  expect(await migrate(true)).toMatchObject({ code: 0 });
  const { endpoint } = JSON.parse((await store.readText(bucketLayout.pipelineConfig(PIPELINE)))!);
  expect(endpoint).toMatchObject({ instanceType: 'ml.g4dn.xlarge', acceleratorType: null });
  expect(await served()).toEqual({
    hardware: expect.objectContaining({ instanceType: 'ml.g4dn.xlarge', acceleratorType: null }),
    image: expect.stringContaining('tensorflow-inference:2.3.0-gpu'),
  });
  expect((await laptop.predict()).status).toBe(200);
  const theirs = await endpoints.describeConfig((await endpoints.describe(THEIRS))!.configName);
  expect(theirs!.variants[0]!.hardware).toMatchObject({ acceleratorType: 'ml.eia2.medium' });
  expect((await migrate(false)).uses).toMatchObject([{ name: THEIRS }]);
});
