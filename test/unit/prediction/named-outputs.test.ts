import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/prediction/json-documents.ts';
import type { SingleNumber } from '../../../src/prediction/prediction.ts';
import { namedOutputs } from '../../../src/prediction/record-value.ts';

type Fields = Readonly<Record<string, JsonValue>>;
const read = (fields: Fields, single: SingleNumber = 'class') =>
  namedOutputs(fields, { scoreCount: 2, oneRecord: true, single });

test.each<[Fields, unknown]>([
  [{ Label: 'cat', model: 'm' }, { label: 'cat' }],
  [{ class: [[1]], model: 'm' }, { label: 1 }],
  [{ class_id: 1, class_name: 'dog' }, { label: 1 }],
  [{ class_name: 'dog', class_id: 1 }, { label: 1 }],
  [{ class: 1, prediction: 1 }, { label: 1 }],
  // Probabilities before logits, whatever the order of the fields; an empty list or words are no scores.
  [{ logits: [3, 1], probabilities: [0.9, 0.1] }, { scores: [0.9, 0.1] }],
  [{ probabilities: [], logits: [3, 1] }, { scores: [3, 1] }],
  [{ probabilities: ['a', 'b'], scores: [[0.2, 0.8]] }, { scores: [0.2, 0.8] }],
  [{ scores: 0.8, label: 'dog' }, { label: 'dog' }],
  [
    { label: 'dog', probability: 0.6 },
    { label: 'dog', confidence: 0.6 },
  ],
  [
    { label: 'dog', confidence: 0.7, probability: 0.6 },
    { label: 'dog', confidence: 0.7 },
  ],
  [
    { label: 'dog', score: 'high', confidence: 0.7 },
    { label: 'dog', confidence: 0.7 },
  ],
  [{ label: 'dog', error: null }, { label: 'dog' }],
  [
    { label: 'dog', probs: [0.2, 0.8], score: 0.5 },
    { label: 'dog', scores: [0.2, 0.8], confidence: 0.5 },
  ],
])('the fields %j are read as %j', (fields, prediction) => {
  expect(read(fields)).toEqual(prediction);
});

test.each<[Fields, string, string]>([
  [{ error: 'broken', label: 'dog' }, 'model-error', 'broken'],
  [{ class: 1, predicted_class: 0 }, 'ambiguous-output', 'names several classes: 1, 0'],
  [{ label: 'cat', class_name: 'dog', class: 1 }, 'ambiguous-output', 'several classes: cat, dog, 1'],
  [{ label: 'cat', class_name: 'dog' }, 'ambiguous-output', 'several classes: cat, dog'],
  [{ label: [], score: 1 }, 'ambiguous-output', 'field label has 0 values for one record'],
  [{ label: true }, 'unreadable-output', 'has true where a prediction belongs'],
  [{ label: null, model: 'm' }, 'unreadable-output', 'has null where a prediction belongs'],
  [{ x: { y: 1 } }, 'unreadable-output', 'has an object where a prediction belongs'],
  [{}, 'ambiguous-output', 'none is named as a class'],
  [{ score: 0.7, model: 'm' }, 'ambiguous-output', 'has the fields score, model: none is named as a class'],
])('the fields %j are refused as %s', (fields, reason, message) => {
  expect(() => read(fields)).toThrow(
    expect.objectContaining({ reason, message: expect.stringContaining(message) }),
  );
});

test('one number where a score for each class belongs ends the run, but where the model has one sigmoid', () => {
  expect(() => read({ probabilities: [0.7] })).toThrow(/expect 2 scores .* has 1/);
  expect(read({ probabilities: [[0.7]], label: 'dog' }, 'score')).toEqual({ label: 'dog', confidence: 0.7 });
  expect(read({ probabilities: ['0.7'], score: 0.4 }, 'score')).toEqual({ second: 0.4 });
  expect(read({ probabilities: [0.3, 0.7], model: 'm' }, 'score')).toEqual({ scores: [0.3, 0.7] });
});
