import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { gateProblems } from '../../../src/plan/judge/gate-problems.ts';

const problems = (gate: unknown, baseline: string | null = null, more: object = {}) =>
  gateProblems(
    PipelineConfig.parse({
      model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
      labels: { classes: ['cat', 'dog'] },
      report: { baseline },
      gate,
      ...more,
    }),
    ['cat', 'dog'],
  ).map(({ file, field, message }) => `${file}: ${field} ${message}`);

test('a bound that could never be checked is refused before the run', () => {
  expect(problems({ maxAccuracyDrop: 0.01, minRecall: { cat: 0.5, cow: 0.5, '*': 0.1 } })).toEqual([
    'pipeline.json: gate.maxAccuracyDrop compares with report.baseline, which is not set: set it to "last-passed" or to a run',
    'pipeline.json: gate.minRecall names "cow", which labels.classes does not list',
  ]);
  expect(problems(null)).toEqual([]);
});

test.each(['minRecall', 'slices'])(
  'bounds of %s without any are refused, since they would always pass',
  (field) => {
    expect(problems({ [field]: {} })).toEqual([
      `pipeline.json: gate.${field} has no bound, so that it would pass whatever the answers are: set one, by name or ` +
        'for "*", or leave it out',
    ]);
    expect(problems({ [field]: { '*': field === 'slices' ? { minAccuracy: 0.5 } : 0.5 } })).toEqual([]);
  },
);

test('an accuracy of 1 that must be proven is refused, since no number of right answers proves it', () => {
  const never = (field: string, confidence: string) =>
    `pipeline.json: ${field} must be below 1 where gate.confidence is ${confidence}, is 1: however many answers are ` +
    'right, they never prove that all are. Set it to 0.999 or less, or gate.confidence to null';
  expect(problems({ minAccuracy: 1, confidence: 0.9 })).toEqual([never('gate.minAccuracy', '0.9 (as set)')]);
  const byDefault =
    '0.95 (by default, since the verdict has consequences or speaks for inputs that are not judged)';
  expect(problems({ minAccuracy: 1 }, null, { sample: { inputs: 50 } })).toEqual([
    never('gate.minAccuracy', byDefault),
  ]);
  expect(problems({ slices: { 'site=B': { minAccuracy: 1 } }, confidence: 0.9 })).toEqual([
    never('gate.slices["site=B"].minAccuracy', '0.9 (as set)'),
  ]);
  expect(problems({ minRecall: 1, confidence: 0.9 })).toEqual([never('gate.minRecall', '0.9 (as set)')]);
  expect(problems({ minRecall: { cat: { minRecall: 1 } }, confidence: 0.9 })).toEqual([
    never('gate.minRecall["cat"]', '0.9 (as set)'),
  ]);
  expect(problems({ maxErrorRate: 0, confidence: 0.95 })).toEqual([
    'pipeline.json: gate.maxErrorRate must be above 0 where gate.confidence is 0.95 (as set), is 0: 0 errors of 300 ' +
      'inputs prove at most 0.99%, and no number proves 0. Set it to 0.001 or more, or gate.confidence to null',
  ]);
  expect(problems({ minAccuracy: 1, minRecall: 1, maxErrorRate: 0 })).toEqual([]);
  expect(problems({ minAccuracy: 1, confidence: null }, null, { sample: { inputs: 50 } })).toEqual([]);
  expect(problems({ minAccuracy: 0.999, confidence: 0.9 })).toEqual([]);
});
