import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { resolveGate } from '../../../src/pipeline/resolve-gate.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

const TRAINING = { framework: 'tensorflow', version: '2.19', entryPoint: 'train.py' };
const trains = (promote: string) => ({ training: { ...TRAINING, after: { evaluate: 'held-out', promote } } });
const deploys = { endpoint: { deploy: 'when-gate-passes' } };

test.each([
  ['nothing acts by itself', {}, {}, { minInputs: 1, minLabeled: null, confidence: null }],
  ['an endpoint is deployed', deploys, {}, { minInputs: 30, minLabeled: 0.9, confidence: 0.95 }],
  [
    'a model is promoted',
    trains('when-gate-passes'),
    {},
    { minInputs: 30, minLabeled: 0.9, confidence: 0.95 },
  ],
  ['a person promotes', trains('ask'), {}, { minInputs: 1, minLabeled: null, confidence: null }],
  [
    'all are given',
    deploys,
    { minInputs: 2, minLabeled: null, confidence: null },
    { minInputs: 2, minLabeled: null, confidence: null },
  ],
  [
    'nothing acts and all are given',
    {},
    { minInputs: 9, minLabeled: 0.5, confidence: 0.9 },
    { minInputs: 9, minLabeled: 0.5, confidence: 0.9 },
  ],
])('where %s', (_, settings, gate, resolved) => {
  const config = PipelineConfig.parse({ ...PIPELINE, ...settings, gate: { minAccuracy: 0.5, ...gate } });
  expect(resolveGate(config)).toEqual({ minAccuracy: 0.5, ...resolved });
});

test('no gate stays none', () => {
  expect(resolveGate(PipelineConfig.parse({ ...PIPELINE, ...deploys }))).toBeNull();
});
