import { expect, test } from 'vitest';
import { exitCode, gateWord, trainingExitCode } from '../../../src/cli/runs/run-result.ts';
import type { TrainingReport } from '../../../src/report/training/training-report.ts';

test.each([
  ['completed', 'passed', 0],
  ['completed', 'none', 0],
  ['completed-with-errors', 'passed', 0],
  ['empty', 'none', 0],
  ['completed', 'failed', 3],
  ['completed-with-errors', 'failed', 3],
  ['failed', 'failed', 1],
  ['failed', 'none', 1],
  ['refused', 'none', 1],
] as const)('a run that is %s with gate %s ends the command with %d', (status, verdict, code) => {
  expect(exitCode({ status, gate: { verdict, isSet: verdict !== 'none' } })).toBe(code);
});

test('a gate that is set and had too few labeled inputs has not passed', () => {
  expect(exitCode({ status: 'completed', gate: { verdict: 'none', isSet: true } })).toBe(3);
});

test.each([
  ['passed', true, 'passed'],
  ['failed', true, 'failed'],
  ['none', true, 'no verdict'],
  ['none', false, 'none'],
  ['none', undefined, 'none'],
] as const)('a list of runs says of gate %s, set %s: %s', (gate, gateIsSet, word) => {
  expect(gateWord({ gate, gateIsSet })).toBe(word);
});

const because = { reason: 'Because.', by: 'gate' };
const evaluation = (verdict: 'passed' | 'failed' | 'none', isSet = true) =>
  ({ verdict, isSet }) as NonNullable<TrainingReport['evaluation']>;
test.each<[string, Partial<Parameters<typeof trainingExitCode>[0]>, number]>([
  ['was promoted', { promotion: { promotion: 'promoted', ...because } }, 0],
  ['serves already', { promotion: { promotion: 'kept', ...because } }, 0],
  ['waits for a person who is to be asked', { asked: 'ask' }, 0],
  ['waits for a person although it was to be promoted by itself', {}, 3],
  [
    'was refused, since another model was promoted meanwhile',
    { promotion: { promotion: 'refused', ...because } },
    3,
  ],
  [
    'was refused although nothing acts by itself',
    { asked: 'ask', promotion: { promotion: 'refused', ...because } },
    3,
  ],
  ['failed its gate', { asked: 'never', evaluation: evaluation('failed') }, 3],
  ['was judged by too few inputs', { asked: 'ask', evaluation: evaluation('none') }, 3],
  ['is judged by no gate', { asked: 'ask', evaluation: evaluation('none', false) }, 0],
  ['was not evaluated', { asked: 'ask', evaluation: null }, 0],
  ['had no files', { status: 'empty', evaluation: null, promotion: null }, 0],
  ['was not trained', { status: 'failed', evaluation: null, promotion: null }, 1],
])('a training whose model %s ends the command with its own code', (_, given, code) => {
  const ended = {
    status: 'completed',
    asked: 'when-gate-passes',
    evaluation: evaluation('passed'),
    promotion: { promotion: 'asked', ...because },
  } as const;
  expect(trainingExitCode({ ...ended, ...given })).toBe(code);
});
