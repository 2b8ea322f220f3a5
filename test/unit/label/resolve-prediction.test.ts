import { describe, expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';
import { asAnswered } from '../../support/as-answered.ts';

const classes = () => new ClassList(['cat', 'dog', 'bird']);

test('the first of equal scores wins', () => {
  expect(resolvePrediction({ scores: [0.4, 0.4, 0.2] }, classes(), asAnswered())).toMatchObject({
    predicted: 0,
    confidence: 0.4,
    distribution: true,
  });
});

test('an offset moves scores and index alike', () => {
  const scores = [0.1, 0.2, 0.6, 0.1];
  expect(resolvePrediction({ scores }, classes(), asAnswered(-1))).toMatchObject({
    predicted: 1,
    scoreIndex: 2,
    confidence: 0.6,
  });
  expect(resolvePrediction({ label: 2, scores }, classes(), asAnswered(-1))).toMatchObject({
    predicted: 1,
    scoreIndex: 2,
    confidence: 0.6,
  });
});

test('the class that an output names is believed before its scores', () => {
  expect(
    resolvePrediction({ label: 'bird', scores: [0.5, 0.3, 0.2] }, classes(), asAnswered()),
  ).toMatchObject({
    predicted: 2,
    confidence: 0.2,
  });
});

test('a name, an index as text, and a name that is not listed', () => {
  const list = classes();
  const predicted = ['dog', '2', 'fish'].map(
    (label) => list.names[resolvePrediction({ label }, list, asAnswered()).predicted],
  );
  expect(predicted).toEqual(['dog', 'bird', 'fish']);
});

test('scores that do not add up to one are no probabilities', () => {
  expect(resolvePrediction({ scores: [0.9, 0.8, 0.1] }, classes(), asAnswered())).toMatchObject({
    distribution: false,
    confidence: undefined,
    score: 0.9,
  });
  expect(resolvePrediction({ scores: [0.333, 0.333, 0.333] }, classes(), asAnswered()).distribution).toBe(
    true,
  );
});

test('NaN among the scores is no prediction', () => {
  expect(() => resolvePrediction({ scores: [0.5, Number.NaN, 0.5] }, classes(), asAnswered())).toThrow(
    'NaN among its scores',
  );
});

test('infinite logits still rank', () => {
  expect(resolvePrediction({ scores: [-Infinity, 3, Infinity] }, classes(), asAnswered()).predicted).toBe(2);
});

describe('two classes', () => {
  const pair = () => new ClassList(['cat', 'dog']);
  const reading = { classOffset: 0, scores: 'as-answered', threshold: null } as const;

  test('one number is the second class’s probability', () => {
    expect(resolvePrediction({ second: 0.75 }, pair(), reading)).toEqual({
      predicted: 1,
      scores: Float64Array.of(0.25, 0.75),
      scoreIndex: 1,
      distribution: true,
      confidence: 0.75,
      score: 0.75,
    });
    expect(resolvePrediction({ second: 0.5 }, pair(), reading)).toMatchObject({
      predicted: 0,
      confidence: 0.5,
    });
  });

  test('a threshold decides, and the confidence is the predicted class’s', () => {
    const strict = { ...reading, threshold: 0.9 };
    expect(resolvePrediction({ second: 0.75 }, pair(), strict)).toMatchObject({
      predicted: 0,
      confidence: 0.25,
    });
    expect(resolvePrediction({ scores: [0.05, 0.95] }, pair(), strict)).toMatchObject({ predicted: 1 });
    expect(resolvePrediction({ second: 0.9 }, pair(), strict)).toMatchObject({ predicted: 0 });
    expect(resolvePrediction({ label: 'dog', confidence: 0.75 }, pair(), strict)).toMatchObject({
      predicted: 1,
    });
  });

  test('a number that is not a probability is refused with the remedy', () => {
    for (const second of [-2.5, 1.5])
      expect(() => resolvePrediction({ second }, pair(), reading)).toThrow('set labels.scores to "logits"');
    expect(() => resolvePrediction({ scores: [3, 4] }, pair(), { ...reading, threshold: 0.3 })).toThrow(
      'not probabilities that add up to 1',
    );
    expect(() => resolvePrediction({ second: Number.NaN }, pair(), reading)).toThrow('NaN');
  });

  test('a logit goes through the sigmoid, to full precision at both ends', () => {
    const logits = { ...reading, scores: 'logits' } as const;
    expect(resolvePrediction({ second: 0.1 }, pair(), logits)).toMatchObject({
      predicted: 1,
      distribution: true,
    });
    const { scores } = resolvePrediction({ second: 40 }, pair(), logits);
    expect(scores?.[0]).toBeCloseTo(4.248354255291589e-18, 30);
    expect(resolvePrediction({ second: -800 }, pair(), logits).scores).toEqual(Float64Array.of(1, 0));
  });
});

test('logits go through the softmax, and the class is the same', () => {
  const logits = { ...asAnswered(), scores: 'logits' } as const;
  const resolved = resolvePrediction({ scores: [1000, 1001, 998] }, classes(), logits);
  expect(resolved).toMatchObject({ predicted: 1, distribution: true });
  expect(Array.from(resolved.scores ?? [])[1]).toBeCloseTo(0.705384513, 8);
  expect(resolvePrediction({ scores: [-Infinity, 3, Infinity] }, classes(), logits).confidence).toBe(1);
  expect(() => resolvePrediction({ scores: [1, Number.NaN, 2] }, classes(), logits)).toThrow('NaN');
});
