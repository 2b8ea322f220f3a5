import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { archiveProblems } from '../../../src/plan/judge/judge-archive.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

const SERVED = ['1/saved_model.pb'];
const LINES = { contentType: 'application/jsonlines', splitType: 'Line', batchStrategy: 'MultiRecord' };
const judge = (files: readonly string[], settings: object, model: object = {}) =>
  archiveProblems(
    { files, scripts: new Map(), kinds: new Map() },
    PipelineConfig.parse({
      ...PIPELINE,
      transform: LINES,
      ...settings,
      model: { ...PIPELINE.model, ...model },
    }),
  );

test.each<[readonly string[], object, object, RegExp]>([
  [['weights.bin'], {}, {}, /saved_model/],
  [
    [...SERVED, 'code/requirements.txt', 'code/inference.py'],
    {},
    {},
    /model\.networkIsolation keeps it from/,
  ],
])('an archive of %j with %j, %j would not be served', (files, settings, model, reason) => {
  expect(judge(files, settings, model)).toEqual([expect.stringMatching(reason)]);
});

test('functions need no wheel of onnxruntime, unless the endpoint is a container of AWS', () => {
  const wheel = expect.stringMatching(/^has no wheel of onnxruntime/);
  const judged = (engine: string, type: string) =>
    judge(
      ['model.onnx'],
      { transform: { contentType: 'application/json', engine }, endpoint: { type } },
      { framework: 'onnx', frameworkVersion: '2.6' },
    );
  expect(judged('lambda', 'lambda')).toEqual([]);
  expect(judged('lambda', 'instance')).toEqual([wheel]);
  expect(judged('auto', 'lambda')).toEqual([wheel]);
});

test.each<[readonly string[], object, object]>([
  [SERVED, {}, {}],
  [[...SERVED, 'code/requirements.txt', 'code/inference.py'], {}, { networkIsolation: false }],
  // A container of one's own may read any file.
  [['weights.bin'], {}, { image: '000000000000.dkr.ecr.us-east-1.amazonaws.com/own:1' }],
])('an archive of %j with %j, %j is served', (files, settings, model) => {
  expect(judge(files, settings, model)).toEqual([]);
});
