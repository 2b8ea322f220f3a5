import { expect, test } from 'vitest';
import { parseTrainingPythons } from '../../../src/cli/laptop/parse-training-pythons.ts';

test('interpreters of training jobs are named by framework', () => {
  expect(parseTrainingPythons([`pytorch=${process.execPath}`])).toEqual({ pytorch: process.execPath });
  expect(parseTrainingPythons([])).toEqual({});
});

test.each([
  ['xgboost=/usr/bin/python3', '--training-python must be like pytorch='],
  ['/usr/bin/python3', '--training-python must be like pytorch='],
  ['tensorflow=/no/python', '--training-python tensorflow=/no/python: there is no program /no/python'],
])('%s is refused', (value, message) => {
  expect(() => parseTrainingPythons([value])).toThrow(message);
});
