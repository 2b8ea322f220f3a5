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

describe('a number that names a class has one meaning for all answers of a run', () => {
  const named = (names: readonly string[], label: number | string, reading = {}, scores?: number[]) => {
    const list = new ClassList(names);
    const prediction = scores === undefined ? { label } : { label, scores };
    return list.names[resolvePrediction(prediction, list, { ...asAnswered(), ...reading }).predicted];
  };
  const UNCLEAR = expect.objectContaining({ reason: 'ambiguous-output' });

  test.each([
    ['places of names', ['cat', 'dog', 'bird'], [0, '1', '2.0', 3], ['cat', 'dog', 'bird', '#3']],
    ['places that are names', ['0', '1', '2'], [0, '1', '02', 3], ['0', '1', '2', '#3']],
    [
      'names, however they are written',
      ['01', '02', '10'],
      ['01', '1', '2.0', '10'],
      ['01', '01', '02', '10'],
    ],
    ['names as texts', ['1', '2', '3'], ['1', '2.0', '3', '0'], ['1', '2', '3', '0']],
    ['names far from places', ['10', '20', '30'], [10, '20', 30.0], ['10', '20', '30']],
    ['places far from names', ['10', '20', '30'], [0, 1, 2], ['10', '20', '30']],
  ])('%s', (_case, names, labels, classes) => {
    expect(labels.map((label) => named(names, label))).toEqual(classes);
  });

  test("the model's own numbers, which are its places among the scores", () => {
    const ids = { ids: [1, 2, 5] };
    expect([1, 2, 5, 3, '5'].map((label) => named(['1', '2', '5'], label, ids))).toEqual([
      '1',
      '2',
      '5',
      '#3',
      '5',
    ]);
    expect([1, 2, 5].map((label) => named(['cat', 'dog', 'bird'], label, ids))).toEqual([
      'cat',
      'dog',
      'bird',
    ]);
    const list = new ClassList(['cat', 'dog', 'bird']);
    const prediction = { label: 5, scores: [0.1, 0.2, 0.7] };
    expect(resolvePrediction(prediction, list, { ...asAnswered(), ...ids })).toMatchObject({
      predicted: 2,
      scoreIndex: 2,
      confidence: 0.7,
    });
  });

  test('names and other places: read as its scores say, else refused', () => {
    const names = ['1', '2', '3'];
    for (const label of [0, 1, 2, 3]) expect(() => named(names, label)).toThrow(UNCLEAR);
    expect(named(names, 1, {}, [0.7, 0.2, 0.1])).toBe('1');
    expect(named(names, 1, {}, [0.2, 0.7, 0.1])).toBe('2');
    expect(() => named(names, 1, {}, [0.1, 0.2, 0.7])).toThrow(UNCLEAR);
    expect(() => named(['1', '01'], 1)).toThrow(UNCLEAR);
    // With a background class before them, names of the numbers from 1 are the places.
    expect([1, 2, 3].map((label) => named(names, label, { classOffset: -1 }))).toEqual(names);
  });
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
    expect.objectContaining({ reason: 'not-a-number', message: 'the output has NaN among its scores' }),
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
    const refused = (reason: string, text: string) =>
      expect.objectContaining({ reason, message: expect.stringContaining(text) });
    for (const second of [-2.5, 1.5])
      expect(() => resolvePrediction({ second }, pair(), reading)).toThrow(
        refused('ambiguous-output', 'set labels.scores to "logits"'),
      );
    expect(() => resolvePrediction({ scores: [3, 4] }, pair(), { ...reading, threshold: 0.3 })).toThrow(
      refused(
        'ambiguous-output',
        'are not probabilities that add up to 1: if they are logits, set labels.scores',
      ),
    );
    expect(() => resolvePrediction({ second: Number.NaN }, pair(), reading)).toThrow(
      refused('not-a-number', 'NaN where a score belongs'),
    );
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

test.each([
  ['3', -1, 'bird'],
  ['-1', 1, 'cat'],
  ['12', -11, 'dog'],
  ['x1', 0, 'x1'],
  ['1x', 0, '1x'],
  ['dog', 5, 'dog'],
])('the label %j of a model whose classes are offset by %d is %s', (label, offset, name) => {
  const list = classes();
  expect(list.names[resolvePrediction({ label }, list, asAnswered(offset)).predicted]).toBe(name);
});

test('a listed name that looks like an index is a name', () => {
  expect(resolvePrediction({ label: '1' }, new ClassList(['1', '0']), asAnswered()).predicted).toBe(0);
});

test.each([
  ['bird', -1, 3],
  ['cat', -1, 1],
  ['fish', 0, undefined],
  [3, 0, 3],
  [4, 0, undefined],
  [-1, 0, undefined],
])('the score of the class %j, offset %d, is number %s', (label, offset, scoreIndex) => {
  const scores = [0.1, 0.2, 0.3, 0.4];
  const list = new ClassList(['cat', 'dog', 'bird'], ['x', 'fish']);
  const resolved = resolvePrediction({ label, scores }, list, asAnswered(offset));
  expect(resolved.scoreIndex).toBe(scoreIndex);
  expect(resolved.score).toBe(scoreIndex === undefined ? undefined : scores[scoreIndex]);
});

test.each([
  [0, 0],
  [1, 1],
  [1.5, undefined],
  [-0.5, undefined],
  [undefined, undefined],
])('without scores, the score %s of the named class is the confidence %s', (score, confidence) => {
  const answer = { label: 'dog', ...(score !== undefined && { confidence: score }) };
  for (const scores of ['as-answered', 'logits'] as const)
    expect(resolvePrediction(answer, classes(), { ...asAnswered(), scores })).toEqual({
      predicted: 1,
      scores: undefined,
      scoreIndex: undefined,
      distribution: false,
      confidence,
      score,
    });
});

test.each([[[1.2, -0.2]], [[-0.1, 0.5, 0.6]], [[1.005, 0, 0]]])('%j are no probabilities', (scores) => {
  expect(resolvePrediction({ scores }, classes(), asAnswered()).distribution).toBe(false);
});

test('an output that names no class is unreadable', () => {
  expect(() => resolvePrediction({}, classes(), asAnswered())).toThrow(
    expect.objectContaining({ reason: 'unreadable-output', message: 'the output names no class' }),
  );
});
