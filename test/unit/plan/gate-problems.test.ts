import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { gateProblems } from '../../../src/plan/gate-problems.ts';

const problems = (gate: unknown, baseline: string | null = null) =>
  gateProblems(
    PipelineConfig.parse({
      model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
      labels: { classes: ['cat', 'dog'] },
      report: { baseline },
      gate,
    }),
    ['cat', 'dog'],
  ).map(({ file, field, message }) => `${file}: ${field} ${message}`);

test('a bound that could never be checked is refused before the run', () => {
  expect(problems({ maxAccuracyDrop: 0.01, minRecall: { cat: 0.5, cow: 0.5, '*': 0.1 } })).toEqual([
    'pipeline.json: gate.maxAccuracyDrop compares with report.baseline, which is not set: set it to "last-passed" or to a run',
    'pipeline.json: gate.minRecall names "cow", which labels.classes does not list',
  ]);
  expect(problems({ significance: 0.05 }, 'last-passed')).toEqual([]);
  expect(problems(null)).toEqual([]);
});
