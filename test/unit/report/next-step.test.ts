import { expect, test } from 'vitest';
import { nextStep } from '../../../src/report/text/next-step.ts';

test.each([
  [{ 'model-error': 3 }, /^errors\.csv names each input without an answer.*inferdrop logs RUN/],
  [
    { 'unreadable-output': 9, 'model-error': 3 },
    /^The model answered, but its answers are not classifications/,
  ],
  [{ 'model-error': 1, empty: 4 }, /^Upload files that are not empty/],
  [{ deleted: 2 }, /overwritten or deleted while the run went on/],
])('after a run with %j the next step speaks of what happened most', (reasons, text) => {
  for (const error of ['NothingPredicted', 'ErrorRateExceeded'])
    expect(nextStep({ error }, reasons)).toMatch(text);
});

test('other errors have steps of their own, whatever became of the inputs', () => {
  expect(nextStep({ error: 'InstanceCapacity' }, { 'model-error': 3 })).toMatch(/^Rerun later/);
  expect(nextStep({ error: 'Unheard' }, {})).toMatch(/execution’s history/);
  expect(nextStep({ error: 'NothingPredicted' }, {})).toMatch(/^Read errors\.csv/);
});
