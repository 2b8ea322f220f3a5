import { expect, it } from 'vitest';
import type { ComparedTraining } from '../../../src/api/console/comparison.ts';
import { comparedRunLines, comparedTrainingLines } from '../../../src/cli/show/compared-lines.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

const run = {
  verdict: 'passed' as const,
  endedAt: '',
  isJudged: true,
  total: 1000,
  errors: 0,
  interval: null,
  costUsd: 0.02,
  seconds: 20,
  model: null,
  gate: '',
};
const pair = {
  inputs: { paired: 1000, changed: 0, added: 0, missing: 0 },
  relabeled: 0,
  answered: 1000,
  sameClass: 950,
  accuracy: { records: 1000, before: 0.9, now: 0.93, change: 0.03, interval: { low: 0.01, high: 0.05 } },
  pValue: 0.0021,
  exact: false,
  lost: 10,
  gained: 40,
  flips: [],
};

it('runs stand below each other with their change from the first, or why there is none', () => {
  const lines = comparedRunLines(
    {
      runs: [
        { ...run, run: 'cats/a/000001', accuracy: 0.9 },
        { ...run, run: 'cats/b/000001', accuracy: 0.93 },
        { ...run, run: 'cats/c/000001', accuracy: null, costUsd: null, verdict: 'refused' },
      ],
      pairs: [
        { ...pair, run: 'cats/b/000001' },
        { run: 'cats/c/000001', reason: 'its rows have expired' },
      ],
    },
    silentTerminal(),
  );
  expect(lines).toEqual([
    "RUN            VERDICT  INPUTS  ERRORS  ACCURACY   COST  CHANGE  MCNEMAR'S TEST  LOST  GAINED    SAME CLASS",
    'cats/a/000001  passed    1,000       0    90.00%  $0.02       –  –                  –       –             –',
    'cats/b/000001  passed    1,000       0    93.00%  $0.02    +3.0  p = 0.0021        10      40  950 of 1,000',
    'cats/c/000001  refused   1,000       0         –      –       –  –                  –       –             –',
    'cats/c/000001 is not compared: its rows have expired',
  ]);
});

it('p values of several runs say that they are corrected', () => {
  const pairs = [
    { ...pair, run: 'cats/b/000001' },
    { ...pair, run: 'cats/c/000001' },
  ];
  const runs = ['a', 'b', 'c'].map((name) => ({ ...run, run: `cats/${name}/000001`, accuracy: null }));
  expect(comparedRunLines({ runs, pairs }, silentTerminal()).at(-1)).toBe(
    'p values are corrected for the number of runs (Holm)',
  );
});

it('labels that differ are said', () => {
  const pairs = [{ ...pair, run: 'cats/b/000001', relabeled: 3 }];
  const runs = ['a', 'b'].map((name) => ({ ...run, run: `cats/${name}/000001`, accuracy: null }));
  expect(comparedRunLines({ runs, pairs }, silentTerminal()).at(-1)).toBe(
    '3 records of cats/b/000001 have another label than in the first run: both are judged by the labels of cats/b/000001',
  );
});

it('trainings are columns: what differs comes first, a hyperparameter that all share last', () => {
  const training: ComparedTraining = {
    run: 'training/cats/a/000001',
    verdict: 'passed',
    endedAt: '',
    files: 2000,
    hyperparameters: { epochs: '3', rate: '0.001' },
    curves: [],
    last: { 'validation:accuracy': 0.81234 },
    judged: {
      run: '',
      accuracy: 0.81,
      interval: null,
      inputs: 200,
      trainedOn: 0,
      nearDuplicates: null,
    },
    promotion: { word: 'promoted', reason: '' },
    costUsd: 0.5,
    seconds: 82,
  };
  const other: ComparedTraining = {
    ...training,
    run: 'training/cats/b/000001',
    verdict: 'running',
    hyperparameters: { epochs: '3', rate: '0.01', momentum: '0.9' },
    last: { 'train:loss': 0.5 },
    judged: null,
    promotion: null,
    seconds: null,
  };
  expect(comparedTrainingLines({ trainings: [training, other] })).toEqual([
    'TRAINING             cats/a/000001  cats/b/000001',
    'verdict                     passed        running',
    'files                        2,000          2,000',
    'rate                         0.001           0.01',
    'momentum                         –            0.9',
    'validation:accuracy         0.8123              –',
    'train:loss                       –            0.5',
    'judged               81.00% of 200              –',
    'promotion                 promoted              –',
    'cost                         $0.50          $0.50',
    'time                    1 min 22 s              –',
    'epochs                           3              3',
  ]);
});

it('runs that nobody judges have no figures of truths, and the same answers', () => {
  const runs = ['a', 'b'].map((name) => ({
    ...run,
    run: `cats/${name}/000001`,
    isJudged: false,
    accuracy: null,
    verdict: 'completed' as const,
  }));
  const pairs = [{ ...pair, run: 'cats/b/000001', accuracy: null, pValue: null, lost: 0, gained: 0 }];
  expect(comparedRunLines({ runs, pairs }, silentTerminal())).toEqual([
    'RUN            VERDICT    INPUTS  ERRORS   COST   SAME ANSWER',
    'cats/a/000001  completed   1,000       0  $0.02             –',
    'cats/b/000001  completed   1,000       0  $0.02  950 of 1,000',
  ]);
});
