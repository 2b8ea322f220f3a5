import { expect, test } from 'vitest';
import { isChanged, judgePromotion, type PromotionEvidence } from '../../../src/training/judge-promotion.ts';

const passed = { verdict: 'passed', explanation: 'It is good.' } as const;
const PROVEN: PromotionEvidence = {
  asked: 'when-gate-passes',
  gate: passed,
  judgedByDrop: [],
  changed: { overwritten: 0, deleted: 0, of: 9 },
  isReconfigured: false,
  isTrainedOn: false,
  isSame: false,
  incumbentTrainedOn: null,
};
const doubted = (doubt: string) => `${doubt}, so its gate decides nothing automatically. It is good.`;

test.each<[Partial<PromotionEvidence>, string, string]>([
  [{}, 'promoted', 'It is good.'],
  [{ asked: 'never' }, 'never', 'after.promote is "never".'],
  [{ asked: 'never', gate: null }, 'never', 'after.promote is "never".'],
  [{ gate: null }, 'asked', 'No run has judged the model: training.after.evaluate names no files.'],
  [
    { asked: 'ask', gate: null },
    'asked',
    'No run has judged the model: training.after.evaluate names no files.',
  ],
  [{ gate: { verdict: 'failed', explanation: 'Bad.' } }, 'refused', 'Bad.'],
  [{ asked: 'ask', gate: { verdict: 'failed', explanation: 'Bad.' } }, 'refused', 'Bad.'],
  [{ asked: 'ask' }, 'asked', 'after.promote is "ask". It is good.'],
  [{ gate: { verdict: 'none', explanation: 'No gate.' } }, 'asked', 'No gate.'],
  [
    { judgedByDrop: ['labels.truth', 'input'] },
    'asked',
    doubted('job.json of the evaluation sets labels.truth, input'),
  ],
  [
    { isTrainedOn: true },
    'asked',
    doubted(
      'The model was trained on every input of the evaluation, or on one that looks like it or is of its group',
    ),
  ],
  [
    { changed: { overwritten: 1, deleted: 2, of: 9 } },
    'asked',
    doubted('Of the 9 inputs of the evaluation 1 were overwritten and 2 deleted after they had been frozen'),
  ],
  [
    { isReconfigured: true },
    'asked',
    doubted(
      'Model, transform, labels or gate of pipeline.json were changed between the plan of the training and its evaluation',
    ),
  ],
  [
    { isSame: true },
    'kept',
    'It has the same files, byte for byte, as the model that serves, so nothing is replaced or deployed.',
  ],
  [
    { isSame: true, asked: 'ask', incumbentTrainedOn: { training: 'training/shapes/a/000001' } },
    'kept',
    'It has the same files, byte for byte, as the model that serves (training/shapes/a/000001), so nothing is replaced or deployed.',
  ],
])('a model with %j is %s', (evidence, promotion, reason) => {
  expect(judgePromotion({ ...PROVEN, ...evidence })).toEqual({ promotion, reason });
});

test.each([
  [0, 0, false],
  [1, 0, true],
  [0, 1, true],
])(
  'with %d inputs overwritten and %d deleted an evaluation has changed: %s',
  (overwritten, deleted, changed) => {
    expect(isChanged({ overwritten, deleted, of: 9 })).toBe(changed);
  },
);
