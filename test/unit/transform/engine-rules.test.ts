import { expect, test } from 'vitest';
import { engineRules } from '../../../src/transform/engine-rules.ts';
import type { EngineSettings } from '../../../src/transform/engine-settings.ts';

const SETTINGS: EngineSettings = {
  name: 'sagemaker',
  instanceType: 'ml.m5.xlarge',
  instanceCount: 1,
  maxConcurrentTransforms: 64,
  maxPayloadInMB: 6,
};

test.each([
  [1, 1],
  [256, 1],
  [257, 4],
])(
  'of %i inputs that failed, %i are with a container of SageMaker at once: one on which it dies takes those beside it along',
  (inputs, maxConcurrentTransforms) => {
    const planned = [SETTINGS, { ...SETTINGS, maxConcurrentTransforms: 16, maxPayloadInMB: 9 }];
    expect(engineRules(SETTINGS).gentler(SETTINGS, planned, inputs)).toEqual({
      ...SETTINGS,
      maxConcurrentTransforms,
      maxPayloadInMB: 9,
    });
  },
);
