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

it.each([
  ['xgboost-classes.ubj', 'XGBoost 3.2.0', undefined, 'classification'],
  ['xgboost-forest.ubj', 'XGBoost 3.2.0', undefined, 'regression'],
  ['lightgbm-binary.txt', 'LightGBM, format v4', undefined, 'classification'],
  ['catboost-binary.cbm', 'CatBoost 1.2.10', ['left', 'stayed'], 'classification'],
  ['catboost-classes.json', 'CatBoost 1.2.10', ['0', '1', '2', '3'], 'classification'],
])('says what the file says: %s', (name, library, classes, task) => {
  expect(convertTrees(modelOf(name), name)).toMatchObject({
    library,
    columns: ['age', 'income', 'visits', 'plan', 'score'],
    ...(classes && { classes }),
    task,
  });
});

it('answers a yes or no with the probability of each', async () => {
  const { onnx } = convertTrees(modelOf('xgboost-binary.json'), 'model.json');

  const answers = await answersOf(onnx, libraryAnswers('xgboost-binary.json').rows);

  for (const [no, yes] of answers) expect(no! + yes!).toBeCloseTo(1, 6);
});

it.each(FIXTURES)('answers a row with any column missing, alone as with others: %s', async (name) => {
  const { onnx } = convertTrees(modelOf(name), name);
  const { rows } = libraryAnswers(name);
  const holed = rows.map((row, at) => row.map((cell, column) => (at % row.length === column ? null : cell)));

  const together = await answersOf(onnx, holed);

  expect(together.flat().every(Number.isFinite)).toBe(true);
  expect(await answersOf(onnx, holed.slice(7, 8))).toEqual(together.slice(7, 8));
});

it('reads a text that was copied to Windows', () => {
  const text = Buffer.from(modelOf('lightgbm-binary.txt'));

  const copy = Buffer.from(text.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');

  expect(treeModelKind(copy)).toBe('lightgbm');
  expect(convertTrees(copy, 'model.txt')).toEqual(convertTrees(text, 'model.txt'));
});
