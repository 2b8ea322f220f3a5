import { expect, test } from 'vitest';
import { LabelTally } from '../../../src/label/label-tally.ts';
import { regressionProblems } from '../../../src/plan/judge/judge-answers.ts';

const answers = (width: number, answersOutputs = true) => ({
  signature: {
    name: 'model.onnx',
    inputs: [],
    outputs: [{ name: 'variable', kind: 'float', shape: [-1, width] } as const],
  },
  isPlain: false,
  answersOutputs,
  classes: null,
});
const tallied = (labels: readonly string[]) => {
  const tally = new LabelTally({ classes: ['low', 'high'], numbers: null });
  for (const [at, label] of labels.entries()) tally.label(`${at}`, label);
  return tally.finish();
};
const NUMBERS = Array.from({ length: 214 }, (_, at) => String(100 + at / 4));

test('one number a record and many different numbers as labels are a regression', () => {
  expect(regressionProblems(tallied(NUMBERS), answers(1), 'pipeline.json')).toEqual([
    {
      file: 'pipeline.json',
      field: 'labels.truth',
      value: '214',
      message: expect.stringMatching(
        /^finds 214 different numbers, and the model answers one number a record \(output "variable"\): that is a regression, which is not judged\. Set "labels" to null/,
      ) as string,
    },
  ]);
});

test.each([
  ['scores', tallied(NUMBERS), answers(3)],
  ['a handler in between', tallied(NUMBERS), answers(1, false)],
  ['few numbers', tallied(['0', '1', '0']), answers(1)],
  ['a text among them', tallied([...NUMBERS, 'n/a']), answers(1)],
  ['no labels', null, answers(1)],
])('%s are none', (_, labels, model) => {
  expect(regressionProblems(labels, model, 'pipeline.json')).toEqual([]);
});
