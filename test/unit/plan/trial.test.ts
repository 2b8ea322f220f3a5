import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { tried } from '../../../src/plan/decide/trial.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

test('a trial is on instances, whichever engine the runs of the pipeline have', () => {
  const { transform } = PipelineConfig.parse({
    ...PIPELINE,
    transform: { engine: 'auto', instanceCount: 4 },
  });
  const settings = { instanceTypes: ['ml.c5.xlarge'], maxConcurrentTransforms: 2 };
  expect(tried(transform, settings)).toEqual({
    ...transform,
    ...settings,
    engine: 'sagemaker',
    instanceCount: 1,
  });
});
