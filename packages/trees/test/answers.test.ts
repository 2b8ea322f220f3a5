import { expect, it } from 'vitest';
import { convertTrees, treeModelKind } from '../convert-trees.ts';
import { answersOf } from './support/answers-of.ts';
import { FIXTURES, largestDifference, libraryAnswers, modelOf } from './support/fixtures.ts';

it.each(FIXTURES)('answers as its library: %s', async (name) => {
  const { rows, answers } = libraryAnswers(name);

  const { onnx } = convertTrees(modelOf(name), name);

  expect(treeModelKind(modelOf(name))).toBe(name.split('-')[0]);
  expect(largestDifference(await answersOf(onnx, rows), answers)).toBeLessThanOrEqual(1e-6);
});

it('leaves out the rounds after the one that early stopping chose', () => {
  const { trees, notes } = convertTrees(modelOf('xgboost-early.json'), 'xgboost-early.json');

  expect(trees).toEqual({ all: 7, used: 5 });
  expect(notes).toEqual(['early stopping chose round 5 of 7']);
});

it('says what the file says: library, columns, task', () => {
  const { library, columns, classes, task } = convertTrees(modelOf('xgboost-classes.ubj'), 'model.ubj');

  expect({ library, columns, classes, task }).toEqual({
    library: 'XGBoost 3.2.0',
    columns: ['age', 'income', 'visits', 'plan', 'score'],
    classes: undefined,
    task: 'classification',
  });
});
