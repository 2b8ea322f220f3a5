import { expect, test } from 'vitest';
import { labelAnswer } from '../../../src/api/label-answer.ts';

const FACTS: Parameters<typeof labelAnswer>[1] = {
  task: 'classification',
  classes: ['shoe', 'bag', 'hat'],
  classOffset: 0,
  scores: 'as-answered',
  threshold: null,
  single: 'class',
  topK: 2,
};
const labeled = (body: string, facts: Partial<typeof FACTS> = {}, oneRecord = false) =>
  labelAnswer(Buffer.from(body), { ...FACTS, ...facts }, { oneRecord, input: 'a.png' });
const shoe = (score: number) => ({ label: 'shoe', index: 0, score });
const bag = (score: number) => ({ label: 'bag', index: 1, score });
const hat = (score: number) => ({ label: 'hat', index: 2, score });

test('scores give the best class, and the best topK of them', () => {
  expect(labeled('{"predictions": [[0.1, 0.6, 0.3], [0.7, 0.1, 0.2]]}')).toEqual([
    { input: 'a.png', ...bag(0.6), topK: [bag(0.6), hat(0.3)] },
    { input: 'a.png', ...shoe(0.7), topK: [shoe(0.7), hat(0.2)] },
  ]);
});

test('scores are those of the classes after classOffset', () => {
  expect(labeled('{"predictions": [[0.9, 0.1]]}', { classOffset: 1 })).toMatchObject([
    { ...bag(0.9), topK: [bag(0.9), hat(0.1)] },
  ]);
});

test.each<[string, string, number | null]>([
  ['{"predictions": [{"classes": 1, "confidence": 2}]}', 'bag', 1],
  ['{"predictions": [{"classes": "hat"}]}', 'hat', 2],
  ['{"predictions": [{"classes": 17}]}', '#17', 17],
  ['{"predictions": [{"classes": -1}]}', '#-1', -1],
  ['{"predictions": [{"classes": "glove"}]}', 'glove', null],
  ['{"predictions": [{"classes": "a#1"}]}', 'a#1', null],
  ['{"predictions": [{"classes": "#1a"}]}', '#1a', null],
])('%s is the class %s with the index %s', (body, label, index) => {
  expect(labeled(body)).toMatchObject([{ label, index, topK: [] }]);
});

test('scores that JSON cannot write are null', () => {
  expect(labeled('{"predictions": [[Infinity, 0.5, -Infinity]]}', { topK: 3 })).toMatchObject([
    { label: 'shoe', score: null, topK: [{ score: null }, { score: 0.5 }, { score: null }] },
  ]);
  expect(labeled('{"predictions": [{"classes": 1}]}')).toMatchObject([{ score: null }]);
});

test.each([
  ['<html>', {}, false],
  ['{"predictions": [[0.5, 0.5]]}', {}, false],
  ['{"predictions": [[0.1, 0.6, 0.3], [0.7, 0.1, 0.2]]}', {}, true],
  [JSON.stringify({ predictions: Array.from({ length: 1_001 }, (_, at) => `new${at}`) }), {}, false],
])('%.40s cannot be read as a classification: raw=1 would show it', (body, facts, oneRecord) => {
  expect(() => labeled(body, facts, oneRecord)).toThrow(
    expect.objectContaining({
      kind: 'unreadable-answer',
      message: expect.stringMatching(/\. Ask with \?raw=1 for the answer as the container returned it$/),
    }),
  );
});

test('any other error is passed on', () => {
  const broken = { ...FACTS, classes: undefined as never };
  expect(() => labelAnswer(Buffer.from('1'), broken, { oneRecord: true, input: null })).toThrow(TypeError);
});
