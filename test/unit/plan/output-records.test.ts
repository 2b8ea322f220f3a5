import { expect, test } from 'vitest';
import { firstPrediction, outputRecords } from '../../../src/plan/output-records.ts';
import type { ScoringPlan } from '../../../src/plan/scoring-plan.ts';
import { OutputError } from '../../../src/prediction/output-error.ts';

const planOf = (transform: object, labels: object = {}): ScoringPlan =>
  ({
    transform: {
      contentType: 'application/jsonlines',
      splitType: 'Line',
      columns: null,
      dataProcessing: null,
      ...transform,
    },
    labels: { classes: ['cat', 'dog'], classOffset: 0, single: 'class', truth: null, ...labels },
  }) as unknown as ScoringPlan;
const read = (plan: ScoringPlan, text: string) =>
  [...outputRecords(plan)(Buffer.from(text), (index) => `label ${index}`)].map((found) => ({
    ...found,
    prediction: found.prediction instanceof OutputError ? found.prediction.reason : found.prediction,
  }));

const JOINED = { joinSource: 'Input', inputFilter: '$', inputColumns: 0 };
const RECORD = { truth: { from: 'record', path: '$.y' } };
const LINES = '{"y":"dog","SageMakerOutput":[0.1,0.9]}\n{"SageMakerOutput":[0.8,0.2]}\n';

test('labels are looked up by place', () => {
  expect(read(planOf({}), '[0.1,0.9]\n[0.8,0.2]\n')).toEqual([
    { prediction: { scores: [0.1, 0.9] }, label: 'label 0' },
    { prediction: { scores: [0.8, 0.2] }, label: 'label 1' },
  ]);
});

test('labels that SageMaker joined stand beside their predictions, and a record without one says so', () => {
  expect(read(planOf({ dataProcessing: JOINED }, RECORD), LINES)).toEqual([
    { prediction: { scores: [0.1, 0.9] }, label: 'dog' },
    {
      ...{ prediction: { scores: [0.8, 0.2] }, label: undefined },
      missing: 'labels.truth.path $.y leads to no class name or index in the record',
    },
  ]);
  const csv = { contentType: 'text/csv', dataProcessing: { ...JOINED, inputColumns: 2 } };
  expect(read(planOf(csv, { truth: { from: 'record', path: '$[0]' } }), 'dog,7,0.1,0.9\n')).toEqual([
    { prediction: { scores: [0.1, 0.9] }, label: 'dog' },
  ]);
});

test('the scores are those of the classes, and of those before the first', () => {
  expect(read(planOf({}, { classOffset: -1 }), '[0.1,0.2,0.7]\n')).toMatchObject([
    { prediction: { scores: [0.1, 0.2, 0.7] } },
  ]);
});

test('a joined document that is one record may have line breaks', () => {
  const plan = planOf({ splitType: 'None', dataProcessing: JOINED }, RECORD);
  expect(read(plan, '{\n"y": "dog",\n"SageMakerOutput": [0.1,0.9]\n}\n')).toMatchObject([{ label: 'dog' }]);
});

test.each([
  ['joined for another purpose', { dataProcessing: JOINED }, {}],
  ['filtered alone', { dataProcessing: { ...JOINED, joinSource: 'None' } }, RECORD],
])('labels of results that are %s are looked up', (_, transform, labels) => {
  expect(read(planOf(transform, labels), '[0.1,0.9]\n')).toMatchObject([{ label: 'label 0' }]);
});

test('a text that is not a path is refused', () => {
  const labels = { truth: { from: 'record', path: 'y' } };
  expect(() => outputRecords(planOf({ dataProcessing: JOINED }, labels))).toThrow(
    'labels.truth.path must start with $',
  );
});

test('the first prediction is that of the first record, if it can be read', () => {
  const first = (output: string) =>
    firstPrediction(
      planOf({ dataProcessing: JOINED }, RECORD),
      Buffer.from(`{"SageMakerOutput":${output}}\n${LINES}`),
    );
  expect(first('[0.6,0.4]')).toEqual({ scores: [0.6, 0.4] });
  expect(first('{"error":"broken"}')).toBeUndefined();
});
