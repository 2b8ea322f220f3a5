import { describe, expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';
import { countError, countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { mergeStored, StoredTally, toStoredTally } from '../../../src/metric/stored-tally.ts';
import { createTally, type Tally } from '../../../src/metric/tally.ts';
import type { Prediction } from '../../../src/prediction/prediction.ts';
import { asAnswered } from '../../support/as-answered.ts';

type Answer = readonly [truth: string | undefined, prediction: Prediction];
const CLASSES = ['cat', 'dog', 'bird'];

function fold(answers: readonly Answer[], { classes = CLASSES, offset = 0, from = 0 } = {}): Tally {
  const tally = createTally(new ClassList(classes), offset);
  for (const [at, [truth, prediction]] of answers.entries()) {
    tally.inputs++;
    countOutcome(tally, {
      key: `k${from + at}`,
      recordIndex: 0,
      truth: truth === undefined ? undefined : tally.classes.add(truth),
      ...resolvePrediction(prediction, tally.classes, asAnswered(offset)),
    });
  }
  return tally;
}

/** The same answers by two shards, whose tallies went through the bucket. */
function merged(answers: readonly Answer[], { classes = CLASSES, offset = 0 } = {}): Tally {
  const tally = createTally(new ClassList(classes), offset);
  for (const [start, end] of [
    [3, answers.length],
    [0, 3],
  ] as const) {
    const part = fold(answers.slice(start, end), { classes, offset, from: start });
    mergeStored(tally, StoredTally.parse(JSON.parse(JSON.stringify(toStoredTally(part)))));
  }
  return tally;
}

const EIGHT: readonly [string, ...number[]][] = [
  ['cat', 0.7, 0.2, 0.1],
  ['cat', 0.45, 0.35, 0.2],
  ['cat', 0.3, 0.6, 0.1],
  ['dog', 0.25, 0.65, 0.1],
  ['dog', 0.5, 0.3, 0.2],
  ['dog', 0.05, 0.85, 0.1],
  ['bird', 0.55, 0.15, 0.3],
  ['bird', 0.2, 0.45, 0.35],
];
const near = (value: number) => expect.closeTo(value, 12);

describe.each([
  ['one shard', fold],
  ['two shards', merged],
])('eight records in %s', (_, tallyOf) => {
  test.each([0, -1])('have the figures of scikit-learn 1.7, with an offset of %d', (offset) => {
    const background = offset === 0 ? [] : [0];
    const tally = tallyOf(
      EIGHT.map(([truth, ...scores]) => [truth, { scores: [...background, ...scores] }]),
      { offset },
    );
    const metrics = metricsOf(tally, [1, 2]);
    expect(metrics).toMatchObject({
      inputs: 8,
      predicted: 8,
      labeled: 8,
      correct: 4,
      errorRate: 0,
      accuracy: 0.5,
      absent: [],
      averages: {
        macro: { precision: near(1 / 3), recall: near(4 / 9), f1: near(0.38095238095238093) },
        weighted: { precision: near(0.375), recall: near(0.5), f1: near(0.42857142857142855) },
        balancedAccuracy: near(4 / 9),
        neverPredicted: 1,
      },
      agreement: { matthews: near(0.2182178902359924), kappa: near(0.2) },
      logLoss: near(0.8012781279029024),
      brier: near(0.494375),
      meanConfidence: { right: near(0.6625), wrong: near(0.525) },
      calibration: { expectedError: near(0.31875) },
      ranking: {
        classes: [
          { id: 0, rocAuc: { value: near(11 / 15) }, averagePrecision: { value: near(0.7) } },
          { id: 1, rocAuc: { value: near(0.8) }, averagePrecision: { value: near(5 / 6) } },
          { id: 2, rocAuc: { value: near(1) }, averagePrecision: { value: near(1) } },
        ],
        macroRocAuc: { value: near((11 / 15 + 0.8 + 1) / 3), errorBound: 0 },
        macroAveragePrecision: { value: near((0.7 + 5 / 6 + 1) / 3), errorBound: 0 },
      },
    });
    expect(metrics.topK.map(({ k, accuracy }) => [k, accuracy])).toEqual([
      [1, 0.5],
      [2, 1],
    ]);
    expect(metrics.classes.map(({ support, predicted, correct }) => [support, predicted, correct])).toEqual([
      [3, 4, 2],
      [3, 4, 2],
      [2, 0, 0],
    ]);
    // Forty bins of confidence.
    const placed = (histogram: readonly number[]) =>
      histogram.flatMap((times, bin) => (times === 0 ? [] : [[bin, times]]));
    expect(placed(tally.rightHistogram)).toEqual([18, 26, 28, 34].map((bin) => [bin, 1]));
    expect(placed(tally.wrongHistogram)).toEqual([18, 20, 22, 24].map((bin) => [bin, 1]));
    expect(
      tally.mistakes.map(({ key, truth, predicted, truthScore }) => [key, truth, predicted, truthScore]),
    ).toEqual([
      ['k2', 'cat', 'dog', 0.3],
      ['k6', 'bird', 'cat', 0.3],
      ['k4', 'dog', 'cat', 0.3],
      ['k7', 'bird', 'dog', 0.35],
    ]);
  });

  test('of many classes have the curves of the scores themselves, however sure the model is', () => {
    // scikit-learn 1.7; a histogram cannot tell these scores apart.
    const answers = Array.from({ length: 40 }, (_, at): Answer => {
      const small = [Number(`1e-${10 + ((at * 7) % 9)}`), Number(`1e-${11 + ((at * 5) % 8)}`)];
      const scores = at % 2 === 1 ? small : small.toReversed();
      scores.splice((at * at) % 3, 0, 1 - ((small[0] ?? 0) + (small[1] ?? 0)));
      const truth = (at * at + (at % 4 === 1 ? 1 : 0) + (at % 7 === 3 ? 1 : 0)) % 3;
      return [CLASSES[truth], { scores }];
    });
    const curve = (id: number, rocAuc: number, averagePrecision: number) => ({
      id,
      rocAuc: { value: expect.closeTo(rocAuc, 9), errorBound: 0 },
      averagePrecision: { value: expect.closeTo(averagePrecision, 9), errorBound: 0 },
    });
    expect(metricsOf(tallyOf(answers), [1]).ranking?.classes).toEqual([
      curve(0, 0.88, 0.6565384615384615),
      curve(1, 0.6553884711779449, 0.6719823471039748),
      curve(2, 0.568100358422939, 0.2900316529348787),
    ]);
  });

  test('of two classes have the curves of the scores themselves', () => {
    const pairs: readonly [string, number][] = [
      ['a', 0.2],
      ['a', 0.4],
      ['b', 0.4],
      ['b', 0.7],
      ['a', 0.7],
      ['b', 0.9],
      ['a', 0.1],
    ];
    const tally = tallyOf(
      pairs.map(([truth, second]) => [truth, { second }]),
      { classes: ['a', 'b'] },
    );
    expect(metricsOf(tally, [1]).ranking?.classes).toEqual([
      {
        id: 0,
        rocAuc: { value: near(5 / 6), errorBound: 0 },
        averagePrecision: { value: near(0.8541666666666666), errorBound: 0 },
      },
      {
        id: 1,
        rocAuc: { value: near(5 / 6), errorBound: 0 },
        averagePrecision: { value: near(0.7555555555555555), errorBound: 0 },
      },
    ]);
  });

  test('keep labels outside the list, those without a truth and errors apart', () => {
    const answers: Answer[] = [
      ['fish', { label: 'cat' }],
      ['cat', { label: 'owl' }],
      [undefined, { label: 'owl' }],
      ['owl', { label: 'owl' }],
      ['fish', { label: 'fish' }],
      ['cat', { label: 'cat', confidence: 1 }],
      ['cat', { label: 'owl', confidence: 0.5 }],
    ];
    const tally = tallyOf(answers);
    const { classes } = metricsOf(tally, [1]);
    const byName = classes.map(({ id, support, predicted, correct }) => [
      ...[tally.classes.names[id], support, predicted, correct],
      tally.unlabeled.get(id) ?? 0,
    ]);
    expect(byName.toSorted()).toEqual([
      ['bird', 0, 0, 0, 0],
      ['cat', 3, 2, 1, 0],
      ['dog', 0, 0, 0, 0],
      ['fish', 2, 1, 1, 0],
      ['owl', 1, 3, 1, 1],
    ]);
    expect(tally.mistakes.map(({ key, confidence, truthScore }) => [key, confidence, truthScore])).toEqual([
      ['k6', 0.5, null],
      ['k0', null, null],
      ['k1', null, null],
    ]);
    expect(tally.rightHistogram[39]).toBe(1);
  });
});

test('of too many scores those of one bin are ties, and the bound is the most that their order can change', () => {
  const tally = fold([
    ['cat', { scores: [0.6, 0.3, 0.1] }],
    ['dog', { scores: [0.6, 0.3, 0.1] }],
    ['dog', { scores: [0.2, 0.7, 0.1] }],
  ]);
  // A shard without its scores.
  tally.exactScores.merge(null);
  const { classes } = metricsOf(tally, [1]).ranking!;
  expect(classes).toEqual([
    {
      id: 0,
      rocAuc: { value: near(0.75), errorBound: near(0.25) },
      averagePrecision: { value: near(0.5), errorBound: near(0.5) },
    },
    {
      id: 1,
      rocAuc: { value: near(0.75), errorBound: near(0.25) },
      averagePrecision: { value: near(5 / 6), errorBound: near(1 / 6) },
    },
  ]);
});

test('the sixty most confident mistakes are kept, by key where they are equally sure', () => {
  const mistake = (sure: number): Answer => ['cat', { label: 'dog', confidence: sure }];
  const answers = Array.from({ length: 70 }, (_, at) => mistake(((at * 37) % 70) / 100));
  const found = fold(answers).mistakes.map(({ confidence }) => confidence);
  expect(found).toEqual(Array.from({ length: 60 }, (_, at) => (69 - at) / 100));
  expect(merged(answers).mistakes.map(({ confidence }) => confidence)).toEqual(found);
  const equal = merged([mistake(0.5), mistake(0.5), ['cat', { label: 'dog' }], mistake(0.5), mistake(0.9)]);
  expect(equal.mistakes.map(({ key }) => key)).toEqual(['k4', 'k0', 'k1', 'k3', 'k2']);
});

test('classes that do not occur are in no average, and those without a truth in no balanced accuracy', () => {
  const tally = fold([
    ['cat', { label: 'cat' }],
    ['cat', { label: 'dog' }],
  ]);
  expect(metricsOf(tally, [1]).averages).toEqual({
    macro: { precision: 0.5, recall: 0.25, f1: near(1 / 3) },
    weighted: { precision: 1, recall: 0.5, f1: near(2 / 3) },
    balancedAccuracy: 0.5,
    neverPredicted: 0,
  });
});

test('one-sided answers agree no more than by chance', () => {
  const one = metricsOf(
    fold([
      ['cat', { label: 'cat' }],
      ['dog', { label: 'cat' }],
    ]),
    [1],
  );
  expect(one.agreement).toEqual({ matthews: 0, kappa: 0 });
  const same = metricsOf(fold([['cat', { label: 'cat' }]]), [1]);
  expect(same.agreement).toEqual({ matthews: 0, kappa: undefined });
  const none = { errorRate: 0, topK: [], averages: undefined, agreement: undefined, meanConfidence: {} };
  expect(metricsOf(fold([]), [1])).toMatchObject(none);
});

test.each<[Answer[], string[]]>([
  [[], ['No input has a usable prediction, so there are no quality figures.']],
  [
    [
      ['cat', { scores: [4, 3, 1] }],
      ['dog', { scores: [4, 3, 1] }],
    ],
    [
      'Log loss, Brier score, ROC AUC and average precision are absent: no output has probabilities of all classes that add up to 1. ' +
        'Logits become probabilities with labels.scores "logits"; several classes for one record (multi-label) are not supported.',
      'Calibration is absent: no output has a probability of the predicted class.',
    ],
  ],
  [
    [
      ['cat', { scores: [0.8, 0.1, 0.1] }],
      ['dog', { label: 'dog' }],
    ],
    [
      'Top-k accuracy is absent: only 1 of 2 outputs have a score for each class.',
      'Log loss, Brier score, ROC AUC and average precision are absent: only 1 of 2 outputs have probabilities of all ' +
        'classes that add up to 1.',
      'Calibration is absent: only 1 of 2 outputs have a probability of the predicted class.',
    ],
  ],
  [
    [
      ['cat', { scores: [4, 3, 1] }],
      ['dog', { label: 'dog', confidence: 1 }],
    ],
    [
      'Top-k accuracy is absent: only 1 of 2 outputs have a score for each class.',
      'Log loss, Brier score, ROC AUC and average precision are absent: no output has probabilities of all classes that add up to 1.',
      'Calibration is absent: only 1 of 2 outputs have a probability of the predicted class.',
    ],
  ],
  [
    [
      ['cat', { scores: [4, 3, 1] }],
      ['dog', { scores: [0.8, 0.1, 0.1] }],
    ],
    [
      'Log loss, Brier score, ROC AUC and average precision are absent: only 1 of 2 outputs have probabilities of all ' +
        'classes that add up to 1.',
      'Calibration is absent: only 1 of 2 outputs have a probability of the predicted class.',
    ],
  ],
])('of %j, absent is %j', (answers, absent) => {
  const metrics = metricsOf(fold(answers), [1]);
  expect(metrics.absent).toEqual(absent);
  expect(metrics).toMatchObject({ calibration: undefined, logLoss: undefined, ranking: undefined });
});

test('a truth outside the list ranks behind all scores, and is no probability', () => {
  const tally = fold([['fish', { scores: [0.8, 0.1, 0.1] }]]);
  expect([...tally.ranks]).toEqual([[3, 1]]);
  expect([tally.ranked, tally.distributions]).toEqual([1, 0]);
});

test('of equal scores the first class ranks first, after the predicted one', () => {
  const ranks = (truth: string, scores: number[]) => [...fold([[truth, { scores }]]).ranks.keys()][0];
  expect(CLASSES.map((truth) => ranks(truth, [0.2, 0.4, 0.4]))).toEqual([2, 0, 1]);
  expect(CLASSES.map((truth) => ranks(truth, [0.25, 0.25, 0.5]))).toEqual([1, 2, 0]);
});

test('a confidence that is no probability is a defect of the caller', () => {
  const outcome = {
    key: 'k',
    recordIndex: 0,
    truth: 0,
    predicted: 0,
    scores: undefined,
    scoreIndex: undefined,
  };
  const tally = createTally(new ClassList(CLASSES), 0);
  expect(() => countOutcome(tally, { ...outcome, distribution: false, confidence: 1.2 })).toThrow(
    'Cannot count confidence: it must be 0..1, is 1.2',
  );
});

test('errors of shards add up', () => {
  const [one, two] = [fold([]), fold([])];
  for (const reason of ['model-error', 'deleted']) countError(one, reason);
  countError(two, 'model-error');
  const stored = toStoredTally(two);
  mergeStored(one, stored);
  expect([...one.errors]).toEqual([
    ['model-error', 2],
    ['deleted', 1],
  ]);
  for (const other of [{ classOffset: -1 }, { listed: 4 }])
    expect(() => mergeStored(one, { ...stored, ...other })).toThrow('Cannot merge tallies');
});
