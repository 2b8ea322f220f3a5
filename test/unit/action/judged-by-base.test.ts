import { expect, it } from 'vitest';
import { differences, judgedByBase, triedBase } from '../../../action/judged-by-base.ts';
import { readConfig } from '../../../action/pipeline-folder.ts';
import { toConfigDocument } from '../../../src/pipeline/pipeline-config.ts';

const pipelineJson = (change: Record<string, unknown> = {}) =>
  readConfig(
    JSON.stringify({
      model: { framework: 'tensorflow', frameworkVersion: '2.20' },
      labels: { classes: ['cat', 'dog'], truth: { from: 'folder' } },
      gate: { minAccuracy: 0.9 },
      endpoint: { deploy: 'when-gate-passes' },
      ...change,
    }),
    'the test',
  );
const BASE = pipelineJson();
const RUNNER = { other: undefined, isDeployed: false };
const DEPLOYED = { other: undefined, isDeployed: true };

it('a request brings its model, and nothing that decides about it', () => {
  const request = pipelineJson({
    model: { framework: 'tensorflow', frameworkVersion: '2.19' },
    labels: { classes: ['dog', 'cat'], truth: { from: 'key', pattern: '(cat|dog)' } },
    gate: { minAccuracy: 0.01 },
    sample: { inputs: 10 },
    transform: { instanceCount: 50 },
    endpoint: { deploy: 'when-gate-passes', initialInstanceCount: 99 },
  });
  const used = judgedByBase(BASE, request, DEPLOYED);
  expect(used.model.frameworkVersion).toBe('2.19');
  expect({ ...used, model: null, gate: null, endpoint: null }).toEqual({
    ...BASE,
    model: null,
    gate: null,
    endpoint: null,
  });
  expect(used.gate).toMatchObject({ minAccuracy: 0.9 });
  expect(used.endpoint).toEqual({ ...BASE.endpoint, deploy: 'never' });
});

it('a gate stays as strict as that of a pipeline which deploys, although nothing is deployed', () => {
  expect(judgedByBase(BASE, BASE, DEPLOYED).gate).toMatchObject({ minInputs: 30, confidence: 0.95 });
  const careless = pipelineJson({ endpoint: {} });
  expect(judgedByBase(careless, BASE, DEPLOYED).gate).toMatchObject({ minInputs: 1, confidence: null });
});

it('the smaller limit applies, and null is none', () => {
  const base = pipelineJson({ limits: { maxCostUsd: 5, maxCostUsdPerDay: null, maxRuntimeMinutes: 60 } });
  const request = pipelineJson({
    limits: { maxCostUsd: null, maxCostUsdPerDay: 7, maxRuntimeMinutes: 61, maxConcurrentRuns: 1, pilot: 0 },
  });
  expect(judgedByBase(base, request, DEPLOYED).limits).toMatchObject({
    maxCostUsd: 5,
    maxCostUsdPerDay: 7,
    maxDropsPerDay: 1000,
    maxRuntimeMinutes: 60,
    maxConcurrentRuns: 1,
    pilot: 'auto',
  });
});

it('a model leaves its network isolation only if the base allows it', () => {
  const open = pipelineJson({
    model: { framework: 'tensorflow', frameworkVersion: '2.20', networkIsolation: false },
  });
  expect(judgedByBase(BASE, open, DEPLOYED).model.networkIsolation).toBe(true);
  expect(judgedByBase(open, open, DEPLOYED).model.networkIsolation).toBe(false);
  expect(judgedByBase(open, BASE, DEPLOYED).model.networkIsolation).toBe(true);
  expect(differences(BASE, open, judgedByBase(BASE, open, DEPLOYED))).toEqual([
    "- ⚠ model.networkIsolation true → false (not used: the base's true applies)",
  ]);
});

it('neither tries to train nor compares the base with itself', () => {
  const training = { sourceDir: 'code', entryPoint: 'train.py', after: { promote: 'when-gate-passes' } };
  const base = pipelineJson({
    training: { ...training, framework: 'tensorflow', version: '2.19' },
    endpoint: {},
    report: { baseline: 'last-passed' },
  });
  expect(judgedByBase(base, base, DEPLOYED)).toMatchObject({ training: null, gate: { minInputs: 30 } });
  expect(triedBase(base)).toMatchObject({ training: null, gate: null, report: { baseline: null } });
});

it.each([
  ['none', null, 'p/x/000001', RUNNER, null],
  ['the last that passed, on the runner', 'last-passed', 'p/x/000001', RUNNER, 'p/x/000001'],
  ['a deployed run, on the runner', 'prod/a/000001', 'p/x/000001', RUNNER, 'p/x/000001'],
  ['a deployed run', 'prod/a/000001', undefined, DEPLOYED, 'prod/a/000001'],
  ['the last that passed, named', 'last-passed', 'prod/b/000001', DEPLOYED, 'prod/b/000001'],
  ['the last that passed, which no gate needs', 'last-passed', undefined, DEPLOYED, null],
])('baseline: %s', (_, baseline, other, place, expected) => {
  const used = judgedByBase(pipelineJson({ report: { baseline } }), BASE, { ...place, other });
  expect(used.report.baseline).toBe(expected);
});

it('a gate that compares is not judged without its comparison', () => {
  const base = pipelineJson({ gate: { maxAccuracyDrop: 0.01 }, report: { baseline: 'last-passed' } });
  expect(() => judgedByBase(base, BASE, DEPLOYED)).toThrow(
    "the base's gate compares with its pipeline's last-passed run: name that run with against",
  );
  expect(() => judgedByBase(base, BASE, RUNNER)).toThrow('the log of the job says why');
});

it('names each difference, and what applies instead', () => {
  const request = pipelineJson({
    gate: { minAccuracy: 0.01, minRecall: { 'c`at @all': 0.1 } },
    limits: { maxCostUsd: 1, maxCostUsdPerDay: 1_000 },
    transform: { instanceCount: 9 },
  });
  expect(differences(BASE, request, judgedByBase(BASE, request, DEPLOYED))).toEqual([
    "- ⚠ transform.instanceCount 1 → 9 (not used: the base's 1 applies)",
    "- ⚠ gate.minAccuracy 0.9 → 0.01 (not used: the base's 0.9 judges)",
    '- ⚠ limits.maxCostUsd 20 → 1 (used: it is the stricter one)',
    "- ⚠ limits.maxCostUsdPerDay 100 → 1000 (not used: the base's 100 applies)",
    '- ⚠ gate.minRecall.c\\`at @\u200ball not set → 0.1 (not used: the base sets none)',
  ]);
  const without = pipelineJson({ gate: null });
  expect(differences(without, BASE, judgedByBase(without, BASE, DEPLOYED))).toEqual([
    expect.stringMatching(/^- ⚠ gate null → .*\(not used: the base's null judges\)$/),
  ]);
});

it('lists 30 of many', () => {
  const recalls = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`class${index}`, 0.5]));
  const request = pipelineJson({ gate: { minAccuracy: 0.9, minRecall: recalls } });
  const lines = differences(BASE, request, judgedByBase(BASE, request, DEPLOYED));
  expect(lines).toHaveLength(31);
  expect(lines.at(-1)).toBe('- ⚠ and 20 more');
});

it('what is written is read again as it was', () => {
  const used = judgedByBase(BASE, BASE, DEPLOYED);
  expect(readConfig(JSON.stringify(toConfigDocument(used)), 'written')).toEqual(used);
  const unjudged = pipelineJson({ labels: null, gate: { maxErrorRate: 0.1 }, endpoint: {} });
  expect(readConfig(JSON.stringify(toConfigDocument(unjudged)), 'written')).toEqual(unjudged);
});
