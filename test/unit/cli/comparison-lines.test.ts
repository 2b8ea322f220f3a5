import { expect, it } from 'vitest';
import { comparisonLines } from '../../../src/cli/show/comparison-lines.ts';
import type { ReportComparison } from '../../../src/report/report-comparison.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

it('two runs stand below each other, with the change and the records that changed', () => {
  const comparison: ReportComparison = {
    baseline: 'cats/monday/000001',
    replay: false,
    inputs: { paired: 100, changed: 1, added: 0, missing: 2 },
    answered: 100,
    onlyNow: 0,
    onlyBefore: 0,
    relabeled: 0,
    identical: 90,
    sameClass: 97,
    scoreDistance: 0.1,
    bothRight: 80,
    lost: 1,
    gained: 2,
    bothWrong: 17,
    accuracy: { records: 100, before: 0.81, now: 0.82, change: 0.01, interval: { low: -0.03, high: 0.05 } },
    pValue: 1,
    exact: true,
    classes: [],
    flips: [
      {
        key: 'a.png',
        recordIndex: 0,
        truth: 'cat',
        before: 'cat',
        now: 'dog',
        scoreBefore: 0.6,
        scoreNow: 0.9,
      },
      {
        key: 'b\u001b.csv',
        recordIndex: 3,
        truth: 'dog',
        before: 'cat',
        now: 'dog',
        scoreBefore: 0.6,
        scoreNow: 0.9,
      },
    ],
  };
  const gate = { verdict: 'passed' as const, explanation: '', isSet: true };
  const figures = {
    task: 'classification' as const,
    status: 'completed' as const,
    total: 103,
    errors: 0,
    costUsd: null,
    gate,
  };
  const lines = comparisonLines(
    { ...figures, run: 'cats/monday/000001', accuracy: 0.81 },
    { ...figures, run: 'cats/tuesday/000001', accuracy: null },
    comparison,
    silentTerminal(),
  );
  expect(lines).toEqual([
    'RUN                  STATUS     INPUTS  ERRORS  ACCURACY  COST  GATE',
    'cats/monday/000001   completed     103       0    81.00%     –  passed',
    'cats/tuesday/000001  completed     103       0         –     –  passed',
    '',
    'Change     +1.0 points (95% interval −3.0 to +5.0; McNemar p = 1)',
    'Baseline   cats/monday/000001 (on 100 records of both: 1 lost, 2 gained; inputs without a partner: 1 of this run, 3 of the other)',
    'Same class 97 of 100 (records with a prediction in both)',
    '',
    'RECORD  INPUT                  LABEL  BEFORE  NOW',
    'lost    a.png                  cat    cat     dog',
    'gained  b\\u{1b}.csv, record 3  dog    cat     dog',
  ]);
  const oneModel = {
    ...comparison,
    relabeled: 20,
    sameClass: 100,
    lost: 0,
    gained: 0,
    pValue: null,
    flips: [],
  };
  const again = comparisonLines(
    { ...figures, run: 'cats/monday/000001', accuracy: 0.81 },
    { ...figures, run: 'cats/monday/000001s1', accuracy: 0.9 },
    oneModel,
    silentTerminal(),
  );
  expect(again[4]).toBe(
    'Relabeled  20 records (their labels differ between the runs, and both runs are judged by the labels of this one; ' +
      'the answers are the same, so any difference in accuracy comes from the labels)',
  );
  expect(again[5]).toBe('Change     +1.0 points (95% interval −3.0 to +5.0)');
  const unjudged = comparisonLines(
    { ...figures, run: 'cats/monday/000001', accuracy: null },
    { ...figures, task: 'none', run: 'cats/tuesday/000001', accuracy: null },
    {
      ...comparison,
      accuracy: null,
      pValue: null,
      flips: comparison.flips
        .slice(0, 1)
        .map((flip) => ({ ...flip, truth: null, before: '[1]', now: '[2]' })),
    },
    silentTerminal(),
  );
  expect(unjudged.slice(4)).toEqual([
    'Baseline   cats/monday/000001 (97 of 100 answers are the same; inputs without a partner: 1 of this run, 3 of the other)',
    'Same       97 of 100 (records with an answer in both)',
    '',
    'RECORD   INPUT  BEFORE  NOW',
    'changed  a.png  [1]     [2]',
  ]);
});
