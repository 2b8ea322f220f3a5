import { describe, expect, test } from 'vitest';
import type { GateBounds } from '../../../src/gate/bounds-of.ts';
import type { Evidence } from '../../../src/gate/evidence.ts';
import { judgeGate } from '../../../src/gate/judge-gate.ts';
import { against, classes, evidence, slices } from '../../support/gate-evidence.ts';

type Case = readonly [gate: GateBounds, of: Evidence, verdict: 'passed' | 'failed' | 'none', says: string];

/** Judges and compares verdict and sentence, without its beginning. */
function check([gate, of, verdict, says]: Case): void {
  const begin = {
    passed: 'The gate passed: ',
    failed: 'The gate failed: ',
    none: 'The gate has no verdict: ',
  };
  expect(judgeGate(gate, of)).toEqual({ verdict, isSet: true, explanation: `${begin[verdict]}${says}` });
}

const AT_95 = { confidence: 0.95 };
const answered = (right: number, count: number) => ({ answered: { right, count } });

describe('without a confidence the figures themselves are compared', () => {
  test.each<Case>([
    [
      { minAccuracy: 0.7 },
      evidence(75, 100),
      'passed',
      '75 of 100 inputs are right (75%); the minimum is 70%.',
    ],
    [
      { minAccuracy: 0.7 },
      evidence(69_999, 100_000),
      'failed',
      '69,999 of 100,000 inputs are right (69.999%), below the minimum of 70%.',
    ],
    [
      { maxErrorRate: 0.01 },
      evidence(98, 98, answered(98, 100)),
      'failed',
      '2 of 100 inputs have no answer (2%), above the maximum of 1%.',
    ],
    // A figure that meets its bound exactly passes, also where 1 − the maximum is rounded.
    [
      { maxErrorRate: 0.85 },
      evidence(3, 3, answered(15, 100)),
      'passed',
      '85 of 100 inputs have no answer (85%); the maximum is 85%.',
    ],
    [
      { minAccuracy: 0.7, maxErrorRate: 0.02 },
      evidence(70, 100),
      'passed',
      '70 of 100 inputs are right (70%); the minimum is 70%; all 100 inputs have an answer; the maximum is 2%.',
    ],
    [
      { minAccuracy: 0.7, maxErrorRate: 0.01 },
      evidence(60, 100, answered(98, 100)),
      'failed',
      '60 of 100 inputs are right (60%), below the minimum of 70%; 2 of 100 inputs have no answer (2%), above the maximum of 1%.',
    ],
    [
      { maxAccuracyDrop: 0.01 },
      evidence(1, 1, against(10, 20, 1_000)),
      'passed',
      'accuracy changed by −1.0 points against birds/friday/000001 on 1,000 inputs; a loss of 1 point is allowed.',
    ],
    [
      { maxAccuracyDrop: 0.005 },
      evidence(1, 1, against(10, 20, 1_000)),
      'failed',
      'accuracy changed by −1.0 points against birds/friday/000001 on 1,000 inputs, more than the loss of 0.5 points that is allowed.',
    ],
    [
      { minRecall: 0.5 },
      evidence(1, 1, { classes: classes(['cat', 20, 40], ['dog', 30, 40]) }),
      'passed',
      'recall reaches its minimum in 2 classes.',
    ],
  ])('%j', (...of) => {
    check(of);
  });
});

describe('with a confidence each bound is proven, refuted or open', () => {
  test.each<Case>([
    [
      { minAccuracy: 0.9, ...AT_95 },
      evidence(5_702, 6_000),
      'passed',
      '5,702 of 6,000 inputs are right, which proves an accuracy of at least 94.55%; the minimum is 90%.',
    ],
    [
      { minAccuracy: 0.9, ...AT_95 },
      evidence(3_600, 6_000),
      'failed',
      '3,600 of 6,000 inputs are right (60%), which is surely below the minimum of 90%.',
    ],
    [
      { minAccuracy: 0.93, ...AT_95 },
      evidence(940, 1_000),
      'none',
      '940 of 1,000 inputs are right (94%), which proves at least 92.62%, short of the minimum of 93%. At this ' +
        'accuracy about 1,820 inputs would prove it.',
    ],
    [
      { minAccuracy: 0.9, ...AT_95 },
      evidence(885, 1_000),
      'none',
      "885 of 1,000 inputs are right (88.5%), below the minimum of 90%, though 1,000 inputs can't rule it out.",
    ],
    [
      { minAccuracy: 0.9, ...AT_95 },
      evidence(40, 40),
      'passed',
      '40 of 40 inputs are right, which proves an accuracy of at least 92.78%; the minimum is 90%.',
    ],
    [
      { maxErrorRate: 0.01, ...AT_95 },
      evidence(9, 9, answered(300, 300)),
      'passed',
      'all 300 inputs have an answer, which proves an error rate of at most 0.99%; the maximum is 1%.',
    ],
    [
      { maxErrorRate: 0.01, ...AT_95 },
      evidence(9, 9, answered(299, 300)),
      'none',
      '1 of 300 inputs has no answer, which could be an error rate of up to 1.57%; the maximum is 1%. At this error ' +
        'rate about 655 inputs would prove it.',
    ],
    [
      { maxErrorRate: 0.01, ...AT_95 },
      evidence(9, 9, answered(280, 300)),
      'failed',
      '20 of 300 inputs have no answer (6.67%), surely above the maximum of 1%.',
    ],
    [
      { maxAccuracyDrop: 0.01, ...AT_95 },
      evidence(1, 1, against(97, 85, 3_000)),
      'passed',
      'accuracy changed by +0.4 points against birds/friday/000001 on 3,000 inputs and is proven to have lost no more ' +
        'than 0.36; 1 point is allowed.',
    ],
    [
      { maxAccuracyDrop: 0.01, ...AT_95 },
      evidence(1, 1, against(90, 10, 3_000)),
      'passed',
      'accuracy changed by +2.7 points against birds/friday/000001 on 3,000 inputs and is proven not to have fallen.',
    ],
    [
      { maxAccuracyDrop: 0.01, ...AT_95 },
      evidence(1, 1, against(2, 4, 100)),
      'none',
      'accuracy changed by −2.0 points against birds/friday/000001 on 100 inputs, which could be a loss of up to 7.58; 1 point is allowed.',
    ],
    [
      { maxAccuracyDrop: 0.01, ...AT_95 },
      evidence(1, 1, against(10, 80, 1_000)),
      'failed',
      'accuracy changed by −7.0 points against birds/friday/000001 on 1,000 inputs, surely more than the loss of 1 point that is allowed.',
    ],
  ])('%j', (...of) => {
    check(of);
  });

  test('a model 2.4 points worse does not pass for lack of evidence', () => {
    expect(judgeGate({ maxAccuracyDrop: 0, ...AT_95 }, evidence(1, 1, against(2, 4, 100))).verdict).toBe(
      'none',
    );
  });
});

describe('classes and slices', () => {
  const recall = (...counts: readonly [string, number, number][]) =>
    evidence(1, 1, { classes: classes(...counts) });
  const site = (...counts: readonly [string | null | undefined, number, number][]) =>
    evidence(1, 1, { slices: slices('site', ...counts) });
  const bound = (minAccuracy: number, minInputs = 30) => ({ minAccuracy, minInputs });
  test.each<Case>([
    [
      { minRecall: 0.8, ...AT_95 },
      recall(['cat', 95, 100], ['dog', 90, 100], ['ship', 27, 30]),
      'none',
      'recall is proven in 2 of 3 classes; not in ship (27 of 30 prove 76.14%, minimum 80%).',
    ],
    [
      { minRecall: 0.8, ...AT_95 },
      recall(['cat', 95, 100], ['dog', 60, 100]),
      'failed',
      'recall is surely too low in dog (60 of 100 right, 60%, minimum 80%).',
    ],
    [
      { minRecall: { '*': 0.95, dog: 0.4 } },
      recall(['cat', 90, 100], ['dog', 50, 100]),
      'failed',
      'recall is too low in cat (90 of 100 right, 90%, minimum 95%).',
    ],
    [
      { minRecall: { owl: 0.1 } },
      recall(['cat', 90, 100]),
      'none',
      'recall is judged in 0 of 1 class; not in owl (0 labeled inputs of the 30 that it needs).',
    ],
    [
      { minRecall: { owl: { minRecall: 0.1, minInputs: 5 } } },
      recall(['owl', 4, 5]),
      'passed',
      'recall reaches its minimum in 1 class.',
    ],
    // A good model of a hundred small classes: no class of ten decides by itself.
    [
      { minRecall: 0.7, ...AT_95 },
      recall(
        ...Array.from({ length: 100 }, (_, at): [string, number, number] => [`c${at}`, 8 + (at % 3), 10]),
      ),
      'passed',
      'recall is proven in 1 class.',
    ],
    [
      { minRecall: 0.9 },
      recall(['a', 50, 100], ['b', 40, 100], ['c', 60, 100], ['d', 70, 100], ['e', 80, 100]),
      'failed',
      'recall is too low in b (40 of 100 right, 40%, minimum 90%), a (50 of 100 right, 50%, minimum 90%), c (60 of ' +
        '100 right, 60%, minimum 90%) and 2 classes more.',
    ],
    [
      { slices: { 'site=A': bound(0.85) } },
      site(['A', 85, 100]),
      'passed',
      'accuracy reaches its minimum in 1 slice.',
    ],
    [
      { slices: { 'site=A': bound(0.85) } },
      site(['A', 29, 29]),
      'none',
      'accuracy is judged in 0 of 1 slice; not in site=A (29 labeled inputs of the 30 that it needs).',
    ],
    [
      { slices: { 'site=B': bound(0.85), 'site=A': bound(0.1) } },
      site(['A', 100, 100]),
      'none',
      'accuracy is judged in 1 of 2 slices; not in site=B (0 labeled inputs of the 30 that it needs).',
    ],
    [
      { slices: { 'site=': bound(0.9) } },
      site(['A', 100, 100], [null, 40, 50]),
      'failed',
      'accuracy is too low in site= (40 of 50 right, 80%, minimum 90%).',
    ],
    [
      { slices: { 'site=A': bound(0.1), '*': bound(0.9) } },
      site(['A', 20, 100], ['B', 89, 100], [null, 10, 40]),
      'failed',
      'accuracy is too low in site= (10 of 40 right, 25%, minimum 90%), site=B (89 of 100 right, 89%, minimum 90%).',
    ],
    // A weak folder that is split into many does not escape, nor do values beyond the thousandth.
    [
      { slices: { '*': bound(0.8) } },
      site(['A', 95, 100], ['b1', 5, 20], ['b2', 5, 20]),
      'failed',
      'accuracy is too low in small slices of site together (10 of 40 right, 25%, minimum 80%).',
    ],
    [
      { slices: { '*': bound(0.8) } },
      site(['A', 95, 100], [undefined, 10, 40]),
      'failed',
      'accuracy is too low in small slices of site together (10 of 40 right, 25%, minimum 80%).',
    ],
    [
      { slices: { '*': bound(0.8) } },
      site(['A', 95, 100], ['b', 0, 29]),
      'passed',
      'accuracy reaches its minimum in 1 slice.',
    ],
    [
      { slices: { '*': bound(0.8) } },
      site(['A', 10, 10], ['b', 10, 10]),
      'none',
      'accuracy is judged in 0 of 1 slice; not in small slices of site together (20 labeled inputs of the 30 that it needs).',
    ],
    [
      { slices: { '*': bound(0.85) }, ...AT_95 },
      site(['A', 90, 100], ['B', 95, 100], ['C', 60, 100]),
      'failed',
      'accuracy is surely too low in site=C (60 of 100 right, 60%, minimum 85%).',
    ],
    [
      { slices: { '*': bound(0.85) }, ...AT_95 },
      site(['A', 90, 100], ['B', 95, 100]),
      'none',
      'accuracy is proven in 1 of 2 slices; not in site=A (90 of 100 prove 83.63%, minimum 85%).',
    ],
  ])('%j', (...of) => {
    check(of);
  });

  test('a named slice of one dimension does not spare another its asterisk', () => {
    const both = [...slices('site', ['A', 20, 20]), ...slices('shift', ['day', 0, 20])];
    const gate = { slices: { 'site=A': bound(0.9, 1), '*': bound(0.8) } };
    check([
      gate,
      evidence(1, 1, { slices: both }),
      'none',
      'accuracy is judged in 1 of 2 slices; not in small slices of shift together (20 labeled inputs of the 30 that it needs).',
    ]);
  });
});

describe('what cannot be judged', () => {
  const none = { whole: { right: 0, count: 0 }, labeled: { labeled: 0, distinct: 9 } };
  test.each<Case>([
    [{ minAccuracy: 0.7 }, evidence(0, 0), 'none', 'the run has no inputs.'],
    [
      { minRecall: 0.7 },
      evidence(0, 0, { ...none, ...answered(0, 9) }),
      'none',
      'none of the 9 inputs has a usable prediction.',
    ],
    [{ minAccuracy: 0.7 }, evidence(0, 9, none), 'none', 'none of the 9 inputs has a label (labels.truth).'],
    [
      { minAccuracy: 0.7, maxErrorRate: 0.1 },
      evidence(0, 9, { ...none, ...answered(7, 9) }),
      'failed',
      '2 of 9 inputs have no answer (22.22%), above the maximum of 10%.',
    ],
    [
      { minAccuracy: 0.5, minInputs: 30 },
      evidence(29, 29),
      'none',
      "29 labeled inputs can't decide, since gate.minInputs asks for 30.",
    ],
    [
      { minAccuracy: 0.5, maxErrorRate: 0.1, minInputs: 30 },
      evidence(5, 5),
      'none',
      "5 labeled inputs can't decide, since gate.minInputs asks for 30; the run has 5 inputs, and gate.minInputs asks for 30.",
    ],
    [
      { minAccuracy: 0.5, minInputs: 30 },
      evidence(30, 30),
      'passed',
      '30 of 30 inputs are right (100%); the minimum is 50%.',
    ],
    // Errors need no labels, and too many fail however few the inputs are.
    [
      { maxErrorRate: 0.1, minInputs: 30 },
      evidence(0, 0, answered(29, 29)),
      'none',
      'the run has 29 inputs, and gate.minInputs asks for 30.',
    ],
    [
      { maxErrorRate: 0.1, minInputs: 30 },
      evidence(0, 0, answered(1, 2)),
      'failed',
      '1 of 2 inputs has no answer (50%), above the maximum of 10%.',
    ],
    [
      { maxAccuracyDrop: 0.5, minInputs: 1_001 },
      evidence(2_000, 2_000, against(20, 10, 1_000)),
      'none',
      'accuracy must be compared on at least 1,001 inputs (gate.minInputs), and birds/friday/000001 shares 1,000.',
    ],
    [
      { maxAccuracyDrop: 0.01 },
      evidence(8, 10),
      'none',
      'accuracy must be compared with the baseline’s and cannot be: there is no baseline run.',
    ],
    [
      { maxAccuracyDrop: 0.01 },
      evidence(8, 10, against(0, 0, 0)),
      'none',
      'accuracy must be compared with the baseline’s and cannot be: birds/friday/000001 shares no input with a label and both answers.',
    ],
    [
      { maxAccuracyDrop: 0.1 },
      evidence(8, 10, against(0, 0, 1_000, true)),
      'none',
      'accuracy must be compared with the baseline’s and cannot be: answers of birds/friday/000001 may not be those of each input alone.',
    ],
    [
      { maxAccuracyDrop: 0.01 },
      evidence(8, 10, { baseline: { run: null, isDoubted: false } }),
      'passed',
      'no run of the pipeline has passed before it to compare with.',
    ],
  ])('%j', (...of) => {
    check(of);
  });

  test('answers that may depend on their company pass no gate, and set none', () => {
    const doubted = evidence(90, 100, { isDoubted: true });
    expect(judgeGate({ minAccuracy: 0.7 }, doubted)).toMatchObject({
      verdict: 'failed',
      explanation: expect.stringContaining("may differ from each input's own"),
    });
    expect(judgeGate(null, doubted)).toEqual({
      verdict: 'none',
      isSet: false,
      explanation: 'The pipeline sets no gate.',
    });
    expect(judgeGate({}, doubted)).toMatchObject({ verdict: 'none', isSet: false });
  });
});

describe('what the verdict rests on', () => {
  test.each<Case>([
    [
      { minAccuracy: 0.9, ...AT_95 },
      evidence(5_702, 5_940, { labeled: { labeled: 5_940, distinct: 6_000 } }),
      'passed',
      '5,702 of 5,940 labeled inputs are right, which proves an accuracy of at least 95.55% of the labeled ones; the minimum is 90%.',
    ],
    [
      { minAccuracy: 0.9, ...AT_95 },
      evidence(950, 1_000, { whole: { right: 950, count: 1_000, effective: 155 } }),
      'passed',
      '950 of 1,000 inputs are right, which proves an accuracy of at least 91.08%; the minimum is 90%.',
    ],
    [
      { minAccuracy: 0.9, ...AT_95 },
      evidence(95, 100, { noun: 'record', setAside: { count: 20, of: 120, accuracy: 0.96 } }),
      'none',
      '95 of 100 records are right (95%), which proves at least 89.77%, short of the minimum of 90%. At this accuracy ' +
        'about 107 records would prove it. 20 of 120 inputs were trained on or are copies of others, and do not count ' +
        '(with them accuracy is 96%).',
    ],
    [
      { minAccuracy: 0.9 },
      evidence(95, 100, { sample: { inputs: 100, of: 1_000 } }),
      'passed',
      '95 of 100 inputs are right (95%); the minimum is 90%. It judges a sample of 100 of 1,000 inputs.',
    ],
    [
      { minAccuracy: 0.9 },
      evidence(95, 100, { whole: { right: 95, count: 100, effective: 80, share: 0.93 } }),
      'passed',
      '95 of 100 inputs are right, 93% with each class weighed by its size; the minimum is 90%.',
    ],
  ])('%j', (...of) => {
    check(of);
  });
});

describe('labels and records that nobody has', () => {
  const labeled = (labels: number, distinct: number) => ({
    answered: { right: distinct, count: distinct },
    labeled: { labeled: labels, distinct },
  });
  const MOSTLY = { minAccuracy: 0.9, minLabeled: 0.9 };

  test.each<Case>([
    [
      MOSTLY,
      evidence(59, 59, labeled(59, 6_000)),
      'none',
      '59 of 6,000 inputs have a label, and gate.minLabeled asks for 90%.',
    ],
    [
      { maxErrorRate: 0, minLabeled: 0.9 },
      evidence(59, 59, labeled(59, 6_000)),
      'passed',
      'all 6,000 inputs have an answer; the maximum is 0%.',
    ],
    [
      { minAccuracy: 0.9 },
      evidence(59, 59, { uncounted: 1 }),
      'none',
      'the records of 1 lost file aren’t counted, since only their answers would show how many they are (errors.csv).',
    ],
    [
      { maxErrorRate: 0.5 },
      evidence(59, 59, { uncounted: 2 }),
      'none',
      'the records of 2 lost files aren’t counted, since only their answers would show how many they are (errors.csv).',
    ],
  ])('%j', (...of) => {
    check(of);
  });

  test('a share of labels that just suffices is judged', () => {
    expect(judgeGate(MOSTLY, evidence(90, 90, labeled(90, 100))).verdict).toBe('passed');
    expect(judgeGate(MOSTLY, evidence(90, 90, labeled(90, 101))).verdict).toBe('none');
  });
});
