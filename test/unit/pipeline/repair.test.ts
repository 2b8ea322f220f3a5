import { expect, test } from 'vitest';
import { repair } from '../../../src/pipeline/repair.ts';

const MODEL = { framework: 'pytorch', frameworkVersion: '2.6' };
const CLASSES = ['cat', 'dog'];

test('what is wrong is left to its default, the rest is kept', () => {
  const pipeline = { model: MODEL, labels: { classes: CLASSES }, gate: { minAccuracy: 93, maxErrorRate: 0 } };

  expect(repair(pipeline, ['gate.minAccuracy'])).toEqual({ ...pipeline, gate: { maxErrorRate: 0 } });
  expect(pipeline.gate.minAccuracy).toBe(93);
});

test('a list with a wrong item is left to its default as a whole', () => {
  const pipeline = { model: MODEL, labels: { classes: CLASSES }, transform: { instanceTypes: ['a', 1] } };

  expect(repair(pipeline, ['transform.instanceTypes.1'])).toMatchObject({ transform: {} });
});

test('required fields get a stand-in', () => {
  expect(repair({ labels: { classes: ['cat'], classOffset: 1 } }, ['labels.classes', 'model'])).toEqual({
    model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
    labels: { classes: ['a', 'b'], classOffset: 1 },
  });
});

test.each([[[]], ['text'], [null], [7]])('%j is no configuration', (value) => {
  expect(repair(value, [])).toBeUndefined();
});
