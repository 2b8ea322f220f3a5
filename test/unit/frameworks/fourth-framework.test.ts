import { afterAll, beforeAll, expect, test } from 'vitest';
import { ARCHIVES, layoutProblems } from '../../../src/frameworks/archives.ts';
import { BUNDLE_HANDLERS, bundleFiles } from '../../../src/frameworks/bundle-files.ts';
import { newestPatched, patchNotes } from '../../../src/frameworks/end-of-patch.ts';
import type { Framework, TrainingFramework } from '../../../src/frameworks/framework-name.ts';
import { FRAMEWORKS } from '../../../src/frameworks/frameworks.ts';
import { resolveImageUri } from '../../../src/frameworks/image-uri.ts';
import { INSPECTIONS } from '../../../src/frameworks/inspections.ts';
import { TRAINING } from '../../../src/frameworks/trainings.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { resolveEndpoint } from '../../../src/plan/endpoint/resolve-endpoint.ts';
import { lambdaPlanning } from '../../../src/plan/engine/lambda-planning.ts';
import { sendingOf } from '../../../src/plan/engine/sending-of.ts';
import {
  answeringModel,
  archiveProblems,
  functionArchiveProblems,
} from '../../../src/plan/judge/judge-archive.ts';
import { ownHandler } from '../../../src/plan/judge/judge-model.ts';
import { problemLine } from '../../../src/problem/problem.ts';
import { distributionProblems } from '../../../src/training/judge-distribution.ts';
import { resolveTrainingImage } from '../../../src/training/training-image.ts';
import { containerLimits } from '../../../src/transform/payload.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';
import * as archive from '../../support/fourth-framework/archive.ts';
import * as facts from '../../support/fourth-framework/facts.ts';
import * as inspection from '../../support/fourth-framework/inspection.ts';
import * as training from '../../support/fourth-framework/training.ts';

// A made-up framework: one folder, and a line in each registry. Its name in `Framework` is what parses pipeline.json, and has no part here.
const NAME = 'trees' as Framework & TrainingFramework;
const LINES = [
  [FRAMEWORKS, facts.trees],
  [ARCHIVES, archive.trees],
  [BUNDLE_HANDLERS, 'trees in bundles'],
  [INSPECTIONS, inspection.trees],
  [TRAINING, training.trees],
] as const;
beforeAll(() => {
  for (const [registry, line] of LINES) Object.assign(registry, { [NAME]: line });
});
afterAll(() => {
  for (const [registry] of LINES) Reflect.deleteProperty(registry, NAME);
});

const configOf = (settings: object = {}): PipelineConfig => {
  const config = PipelineConfig.parse({ ...PIPELINE, ...settings });
  return { ...config, model: { ...config.model, framework: NAME, frameworkVersion: '1.7-1' } };
};
const FILES = ['xgboost-model'];
const contents = { files: FILES, scripts: new Map<string, string>(), kinds: new Map(), sizeBytes: 1 };
const ASKED = { framework: NAME, instanceType: 'ml.m5.xlarge', region: 'us-east-1' };

test('AWS has an image for it, with limits and an end of its patches', () => {
  expect(resolveImageUri({ ...ASKED, version: '1.7-1' })).toEqual({
    imageUri: expect.stringMatching(/\/sagemaker-xgboost:1\.7-1-cpu$/),
  });
  expect(newestPatched(NAME)).toEqual({ version: '1.7', until: '2026-01-31' });
  expect(patchNotes(NAME, '1.7', new Date('2026-03-01'))).toEqual([
    expect.stringMatching(/^AWS's trees 1\.7 container has had no security patches since 2026-01-31/),
  ]);
  const work = { frameworkVersion: '1.7-1', invocationsTimeoutInSeconds: 60, maxPayloadInMB: 2 };
  expect(containerLimits({ ...work, framework: NAME }, {})).toEqual({ MAX_CONTENT_LENGTH: '2097152' });
});

test('its archives are judged, and get its handlers', () => {
  const config = configOf();
  const needs = { framework: NAME, contentType: 'text/csv', networkIsolation: true };
  expect(layoutProblems(['model.pt'], needs)).toEqual([
    'has no xgboost-model: save it with booster.save_model',
  ]);
  expect(archiveProblems(contents, config)).toEqual([]);
  expect(answeringModel(contents, config.model).classes).toEqual(['stayed', 'left']);
  expect(ownHandler(FILES, config.model).map(({ name }) => name)).toEqual(['code/inference.py']);
  expect(bundleFiles(NAME, 'trees').map(({ name }) => name)).toContain('code/inferdrop_served.py');
  expect(functionArchiveProblems(contents, config.model)).toEqual(['has trees']);
});

test('it says itself why it is sent no bundles, and what to do for a function', () => {
  expect(sendingOf(configOf(), { objects: 100_000, bytes: 1_000_000 })).toEqual({
    outputs: 'objects',
    bundle: null,
    notes: ['files are sent one by one: its container runs no script'],
  });
  const { problems } = lambdaPlanning.judge({
    config: configOf({ transform: { engine: 'lambda' } }),
    region: 'us-east-1',
    prices: undefined,
    wrong: [],
  });
  expect(problems.map(problemLine)).toContainEqual(
    expect.stringContaining(
      'must be "onnx" or "tensorflow" with transform.engine "lambda": convert it to ONNX (onnxmltools)',
    ),
  );
  const endpoint = { deploy: 'when-gate-passes', type: 'lambda' };
  const served = resolveEndpoint(configOf({ endpoint, gate: { minAccuracy: 0.5 } }), {
    region: 'us-east-1',
    prices: undefined,
    hasVpc: false,
    archiveBytes: 1,
    largestObjectBytes: 1,
  });
  expect(served.problems.map(problemLine)).toContainEqual(
    expect.stringContaining('convert it to ONNX (onnxmltools)'),
  );
});

test('AWS trains it', () => {
  expect(resolveTrainingImage({ ...ASKED, version: '1.7-1', pyVersion: null })).toMatchObject({
    uri: expect.stringMatching(/\/sagemaker-xgboost:1\.7-1-cpu-py3$/),
  });
  const asked = { framework: NAME, distribution: { torchDistributed: true }, entryPoint: 'train.py' };
  expect(
    distributionProblems(asked as unknown as Parameters<typeof distributionProblems>[0]).map(problemLine),
  ).toEqual([expect.stringContaining('must be null for trees')]);
});
