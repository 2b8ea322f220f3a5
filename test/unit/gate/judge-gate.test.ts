import { describe, expect, test } from 'vitest';
import type { GateBounds } from '../../../src/gate/gate-check.ts';
import { judgeGate } from '../../../src/gate/judge-gate.ts';
import { comparisonOf } from '../../../src/metric/comparison.ts';
import type { Metrics } from '../../../src/metric/metrics.ts';
import { createPairTally } from '../../../src/metric/pair-tally.ts';

const metrics = (accuracy: number | undefined, errorRate: number) =>
  ({
    inputs: 9,
    predicted: 9,
    labelled: accuracy === undefined ? 0 : 9,
    accuracy,
    errorRate,
    errors: new Map(),
    classes: [],
  }) as unknown as Metrics;
const alone = { classes: [], comparison: undefined, first: false };

test.each([
  [{ minAccuracy: 0.7 }, 0.75, 0, 'passed', 'The gate passed: accuracy 75% is at least the minimum of 70%.'],
  [
    { minAccuracy: 0.7 },
    0.6999,
    0,
    'failed',
    'The gate failed: accuracy 69.99% is below the minimum of 70%.',
  ],
  [
    { minAccuracy: 0.7, maxErrorRate: 0.01 },
    0.9,
    0.02,
    'failed',
    'The gate failed: the error rate of 2% is above the maximum of 1%.',
  ],
  // A figure that meets its bound exactly passes.
  [
    { minAccuracy: 0.7, maxErrorRate: 0.02 },
    0.7,
    0.02,
    'passed',
    'The gate passed: accuracy 70% is at least the minimum of 70%; the error rate of 2% is within the maximum of 2%.',
  ],
  [
    { minAccuracy: 0.7, maxErrorRate: 0.01 },
    0.6,
    0.02,
    'failed',
    'The gate failed: accuracy 60% is below the minimum of 70%; the error rate of 2% is above the maximum of 1%.',
  ],
  [
    { minAccuracy: 0.7 },
    undefined,
    0,
    'failed',
    'The gate failed: accuracy must be at least 70% and cannot be judged: no record with a prediction has a known truth (labels.truth).',
  ],
  [{}, 0.9, 0, 'none', 'The pipeline sets no gate.'],
  [null, 0.9, 0, 'none', 'The pipeline sets no gate.'],
])('%j with accuracy %s and error rate %s: %s', (gate, accuracy, errorRate, verdict, explanation) => {
  const evidence = { ...alone, metrics: metrics(accuracy, errorRate) };
  expect(judgeGate(gate, evidence)).toMatchObject({ verdict, explanation });
});

test('answers that may depend on their company pass no gate, and set none', () => {
  const evidence = { ...alone, metrics: metrics(0.9, 0), isDoubted: true };
  expect(judgeGate({ minAccuracy: 0.7 }, evidence)).toMatchObject({
    verdict: 'failed',
    explanation: expect.stringContaining('may not be those of each alone'),
  });
  expect(judgeGate({ maxErrorRate: 0.1 }, evidence).verdict).toBe('failed');
  expect(judgeGate(null, evidence)).toMatchObject({ verdict: 'none', isSet: false });
  expect(judgeGate({}, evidence)).toMatchObject({ verdict: 'none', isSet: false });
});

test('against answers that may depend on their company no loss is proved to be small', () => {
  const comparison = { ...against(10, 10), isDoubted: true };
  const found = judgeGate({ maxAccuracyDrop: 0.1 }, { ...alone, metrics: metrics(0.8, 0), comparison });
  expect(found).toMatchObject({
    verdict: 'failed',
    explanation: expect.stringContaining(
      'answers of birds/friday/000001 may not be those of each input alone',
    ),
  });
});

/** A thousand records of both runs. */
function against(lost: number, gained: number) {
  const pairs = createPairTally('birds/friday/000001');
  const bothRight = 800 - lost;
  pairs.classes.set('crane', { bothRight, lost, gained, bothWrong: 1_000 - bothRight - lost - gained });
  return { baseline: pairs.baseline, result: comparisonOf(pairs) };
}

test.each<[GateBounds, number, number, string, string]>([
  [{ maxAccuracyDrop: 0 }, 10, 10, 'passed', 'accuracy is not below the baseline’s (80% of birds/friday/000001 to 80% on the 1,000 records of both)'],
  [{ maxAccuracyDrop: 0.02 }, 20, 10, 'passed', 'accuracy is no more than 2% below the baseline’s (80% of'],
  [{ maxAccuracyDrop: 0.005 }, 20, 10, 'failed', 'accuracy fell by 1% (80% of birds/friday/000001 to 79% on the 1,000 records of both), more than the 0.5% allowed.'],
  [{ maxAccuracyDrop: 0.005, significance: 0.05 }, 20, 10, 'passed', 'which chance explains (McNemar’s test p = 0.099, not below 0.05)'],
  [{ significance: 0.05 }, 40, 10, 'failed', 'accuracy fell by 3% (80% of birds/friday/000001 to 77% on the 1,000 records of both), more than the 0% allowed, and not by chance (McNemar’s test p < 0.0001, below 0.05).'],
])('%j with %d lost and %d gained: %s', (gate, lost, gained, verdict, words) => {
  const found = judgeGate(gate, { ...alone, metrics: metrics(0.8, 0), comparison: against(lost, gained) });
  expect(found).toMatchObject({ verdict, explanation: expect.stringContaining(words) });
}); // prettier-ignore

test('a loss whose p-value is the significance itself is not distinguished from chance', () => {
  const comparison = against(20, 10);
  const judged = (significance: number) =>
    judgeGate({ significance }, { ...alone, metrics: metrics(0.8, 0), comparison }).verdict;
  const { pValue } = comparison.result.test!;
  expect([judged(pValue), judged(pValue * 1.001)]).toEqual(['passed', 'failed']);
});

test('what the first run of a pipeline has nothing to lose against is said', () => {
  const gate = { maxAccuracyDrop: 0.01 };
  expect(judgeGate(gate, { ...alone, metrics: metrics(0.8, 0), first: true })).toMatchObject({
    verdict: 'passed',
    explanation: 'The gate passed: no run of the pipeline has passed before it to compare with.',
  });
});

test.each([
  [4, 0, 'c3 10% (minimum 90%), c2 20% (minimum 90%), c1 30% (minimum 90%) and of 1 more class.'],
  [5, 0, 'c4 0% (minimum 90%), c3 10% (minimum 90%), c2 20% (minimum 90%) and of 2 more classes.'],
  [3, 0, 'c2 20% (minimum 90%), c1 30% (minimum 90%), c0 40% (minimum 90%).'],
  [
    1,
    4,
    'c0 40% (minimum 90%); recall of u0, u1, u2 has a minimum and is not known: no record has that truth.',
  ],
])('of %i classes that are missed and %i unknown the worst three are named', (missed, unknown, words) => {
  const names = Array.from({ length: missed }, (_, at) => `c${at}`);
  const classes = names.map((_, id) => ({ id, recall: 0.4 - id / 10 }));
  const bounds = Object.fromEntries([
    ...names.map((name) => [name, 0.9]),
    ...Array.from({ length: unknown }, (_, at) => [`u${at}`, 0.5]),
  ]);
  const evidence = { ...alone, classes: names, metrics: { classes, labelled: 9 } as unknown as Metrics };
  expect(judgeGate({ minRecall: bounds }, evidence).explanation).toContain(words);
});

test.each([
  [['near', 'far', 'mid']],
  [['far', 'near', 'mid']],
  [['mid', 'near', 'far']],
  [['near', 'mid', 'far']],
])(
  'the class that is furthest below its own bound is named first, in whatever order they come: %j',
  (names) => {
    const recalls: Record<string, number> = { near: 0.1, mid: 0.3, far: 0.5 };
    const classes = names.map((name, id) => ({ id, recall: recalls[name] }));
    const evidence = { ...alone, classes: names, metrics: { classes, labelled: 9 } as unknown as Metrics };
    const { explanation } = judgeGate({ minRecall: { near: 0.15, mid: 0.5, far: 0.9 } }, evidence);
    expect(explanation).toBe(
      'The gate failed: recall is too low: far 50% (minimum 90%), mid 30% (minimum 50%), near 10% (minimum 15%).',
    );
  },
);

test('a class without a bound passes whatever its recall', () => {
  const classes = [
    { id: 0, recall: 0 },
    { id: 1, recall: 0.9 },
  ];
  const evidence = {
    ...alone,
    classes: ['constructor', 'cat'],
    metrics: { classes, labelled: 9 } as unknown as Metrics,
  };
  expect(judgeGate({ minRecall: { cat: 0.5 } }, evidence).verdict).toBe('passed');
});

test('a loss that cannot be measured fails, but for the first run of a pipeline', () => {
  const gate = { maxAccuracyDrop: 0.01 };
  expect(judgeGate(gate, { ...alone, metrics: metrics(0.8, 0) })).toMatchObject({
    verdict: 'failed',
    explanation:
      'The gate failed: accuracy must be compared with the baseline’s and cannot be: there is no baseline run.',
  });
  const nothing = createPairTally('birds/friday/000001');
  const comparison = { baseline: nothing.baseline, result: comparisonOf(nothing) };
  expect(judgeGate(gate, { ...alone, metrics: metrics(0.8, 0), comparison })).toMatchObject({
    verdict: 'failed',
    explanation: expect.stringContaining('shares no input whose truth and predictions are known'),
  });
  expect(judgeGate(gate, { ...alone, metrics: metrics(0.8, 0), first: true }).verdict).toBe('passed');
});

test.each<[GateBounds['minRecall'], string, string]>([
  [0.5, 'failed', 'The gate failed: recall is too low: dog 40% (minimum 50%).'],
  [0.4, 'passed', 'The gate passed: recall of every class reaches its minimum.'],
  [{ cat: 0.95, dog: 0.4 }, 'failed', 'The gate failed: recall is too low: cat 90% (minimum 95%).'],
  [{ '*': 0.95, dog: 0.4 }, 'failed', 'The gate failed: recall is too low: cat 90% (minimum 95%).'],
  [
    { owl: 0.1 },
    'failed',
    'The gate failed: recall of owl has a minimum and is not known: no record has that truth.',
  ],
])('minRecall %j: %s', (minRecall, verdict, explanation) => {
  const classes = [
    { id: 0, recall: 0.9 },
    { id: 1, recall: 0.4 },
    { id: 2, recall: undefined },
  ];
  const evidence = {
    ...alone,
    classes: ['cat', 'dog', 'owl'],
    metrics: { classes, labelled: 9 } as unknown as Metrics,
  };
  expect(judgeGate({ minRecall }, evidence)).toMatchObject({ verdict, explanation });
});

test.each([
  [{ inputs: 0, predicted: 0 }, 'the run has no inputs'],
  [{ inputs: 3, predicted: 0 }, 'no input has a usable prediction'],
])('a gate on recall that cannot be judged says why: %j', (counts, why) => {
  const known = { ...metrics(undefined, 0), ...counts };
  expect(judgeGate({ minRecall: 0.5 }, { ...alone, metrics: known })).toMatchObject({
    verdict: 'failed',
    explanation: `The gate failed: recall has a minimum and cannot be judged: ${why}.`,
  });
});

/** Figures of so many records, each with a truth. */
const judged = (correct: number, labelled: number, failed = 0) =>
  ({
    ...metrics(correct / labelled, failed / (labelled + failed)),
    ...{ correct, labelled, predicted: labelled, errors: new Map([['model-error', failed]]) },
  }) as unknown as Metrics;
const verdictOf = (gate: GateBounds, figures: Metrics, more = {}) =>
  judgeGate(gate, { ...alone, metrics: figures, ...more });

describe('gate.minInputs', () => {
  test.each<GateBounds>([
    { minAccuracy: 0.5 },
    { minRecall: 0.5 },
    { maxAccuracyDrop: 0 },
    { minAccuracy: 0.5, maxErrorRate: 0.1 },
  ])('there is no verdict on fewer labelled records: %j', (gate) => {
    const found = verdictOf({ ...gate, minInputs: 30 }, judged(1, 1), { first: true });
    expect(found).toEqual({
      verdict: 'none',
      explanation: expect.stringContaining('the labelled records are 1, and gate.minInputs asks for 30'),
      isSet: true,
    });
    expect(verdictOf({ ...gate, minInputs: 30 }, judged(29, 29), { first: true }).verdict).toBe('none');
  });

  test('that the records are too few is said once where both bounds ask for more', () => {
    const gate = { minAccuracy: 0.5, maxErrorRate: 0.1, minInputs: 30 };
    expect(verdictOf(gate, judged(5, 5)).explanation).toBe(
      'The gate has no verdict: the labelled records are 5, and gate.minInputs asks for 30.',
    );
  });

  test('as many as are asked for decide', () => {
    expect(verdictOf({ minAccuracy: 0.5, minInputs: 30 }, judged(30, 30)).verdict).toBe('passed');
    expect(verdictOf({ minAccuracy: 0.5, minInputs: 30 }, judged(14, 30)).verdict).toBe('failed');
  });

  test('an error rate needs inputs, not labels, and too high a one fails however few they are', () => {
    const gate = { maxErrorRate: 0.1, minInputs: 30 };
    const unlabelled = (predicted: number, failed: number) =>
      ({
        ...judged(0, 1, failed),
        labelled: 0,
        predicted,
        errorRate: failed / (predicted + failed),
      }) as Metrics;
    expect(verdictOf(gate, unlabelled(29, 0)).explanation).toBe(
      'The gate has no verdict: the records are 29, and gate.minInputs asks for 30.',
    );
    expect(verdictOf(gate, unlabelled(29, 1)).verdict).toBe('passed');
    expect(verdictOf(gate, unlabelled(1, 1)).verdict).toBe('failed');
    expect(verdictOf({ ...gate, minAccuracy: 0.5 }, judged(3, 3, 3)).verdict).toBe('failed');
  });

  test('a comparison needs as many records that both runs have', () => {
    const gate = { maxAccuracyDrop: 0.5, minInputs: 1001 };
    const found = verdictOf(gate, judged(2_000, 2_000), { comparison: against(20, 10) });
    expect(found).toMatchObject({
      verdict: 'none',
      explanation:
        'The gate has no verdict: accuracy must be compared on at least 1,001 records (gate.minInputs), and birds/friday/000001 shares 1,000.',
    });
    const enough = { ...gate, minInputs: 1000 };
    expect(verdictOf(enough, judged(2_000, 2_000), { comparison: against(20, 10) }).verdict).toBe('passed');
  });
});

describe('gate.confidence', () => {
  const gate = { minAccuracy: 0.9, confidence: 0.95 };
  test.each<[number, number, string, string]>([
    [932, 1_000, 'passed', 'The gate passed: accuracy 93.2% of 1,000 labelled records proves at least 91.77% at 95% confidence, which reaches the minimum of 90%.'],
    [182, 200, 'failed', 'The gate failed: accuracy 91% of 200 labelled records proves at least 87.1% at 95% confidence, below the minimum of 90%: more labelled records would prove more.'],
    [1, 1, 'failed', 'accuracy 100% of 1 labelled record proves at least 26.99% at 95% confidence'],
    [170, 200, 'failed', 'The gate failed: accuracy 85% is below the minimum of 90%.'],
  ])('%d of %d right: %s', (correct, labelled, verdict, words) => {
    expect(verdictOf(gate, judged(correct, labelled))).toMatchObject({
      verdict,
      explanation: expect.stringContaining(words),
    });
  }); // prettier-ignore
});

test('what a sample proves is of the whole drop: the more of it was drawn, the more', () => {
  const gate = { minAccuracy: 0.88, confidence: 0.95 };
  const ofDrop = (total: number) =>
    verdictOf(gate, judged(182, 200), {
      sample: { inputs: 200, of: total, strata: [{ total, drawn: 200, right: 182 }] },
    });
  expect(ofDrop(100_000).verdict).toBe('failed');
  expect(ofDrop(400)).toEqual({
    verdict: 'passed',
    explanation: expect.stringMatching(
      /^The gate passed: accuracy 91% of 200 labelled records proves at least 88\.\d+% of all inputs at 95% confidence, which reaches the minimum of 88%\. It judges a sample of 200 of 400 inputs\.$/,
    ),
    isSet: true,
  });
});
