import { expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';

const classes = () => new ClassList(['cat', 'dog', 'bird']);

test('the first of equal scores wins', () => {
  expect(resolvePrediction({ scores: [0.4, 0.4, 0.2] }, classes(), 0)).toMatchObject({
    predicted: 0,
    confidence: 0.4,
    distribution: true,
  });
});

test('an offset moves scores and index alike', () => {
  const scores = [0.1, 0.2, 0.6, 0.1];
  expect(resolvePrediction({ scores }, classes(), -1)).toMatchObject({
    predicted: 1,
    scoreIndex: 2,
    confidence: 0.6,
  });
  expect(resolvePrediction({ label: 2, scores }, classes(), -1)).toMatchObject({
    predicted: 1,
    scoreIndex: 2,
    confidence: 0.6,
  });
});

test('the class that an output names is believed before its scores', () => {
  expect(resolvePrediction({ label: 'bird', scores: [0.5, 0.3, 0.2] }, classes(), 0)).toMatchObject({
    predicted: 2,
    confidence: 0.2,
  });
});

test('a name, an index as text, and a name that nobody lists', () => {
  const list = classes();
  const predicted = ['dog', '2', 'fish'].map(
    (label) => list.names[resolvePrediction({ label }, list, 0).predicted],
  );
  expect(predicted).toEqual(['dog', 'bird', 'fish']);
});

test('scores that do not add up to one are no probabilities', () => {
  expect(resolvePrediction({ scores: [0.9, 0.8, 0.1] }, classes(), 0)).toMatchObject({
    distribution: false,
    confidence: undefined,
    score: 0.9,
  });
  expect(resolvePrediction({ scores: [0.333, 0.333, 0.333] }, classes(), 0).distribution).toBe(true);
});

test('NaN among the scores is no prediction', () => {
  expect(() => resolvePrediction({ scores: [0.5, Number.NaN, 0.5] }, classes(), 0)).toThrow(
    'NaN among its scores',
  );
});

test('infinite logits still rank', () => {
  expect(resolvePrediction({ scores: [-Infinity, 3, Infinity] }, classes(), 0).predicted).toBe(2);
});
