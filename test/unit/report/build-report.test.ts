import { describe, expect, test } from 'vitest';
import { ClassList } from '../../../src/label/class-list.ts';
import { comparisonOf } from '../../../src/metric/comparison.ts';
import { countError, countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { countPaired, createPairTally } from '../../../src/metric/pair-tally.ts';
import { createTally } from '../../../src/metric/tally.ts';
import { buildEmptyReport, buildReport, type ReportFrame } from '../../../src/report/build-report.ts';
import { predictedMix } from '../../../src/report/predicted-mix.ts';
import { Report } from '../../../src/report/report.ts';
import { ReportComparison, reportComparison } from '../../../src/report/report-comparison.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const FRAME: ReportFrame = { ...syntheticReport(2, 10), failures: [], notes: [], comparison: null };
const NOTHING = { scores: undefined, scoreIndex: undefined, confidence: undefined, distribution: false };

/** The report of records without scores, each a truth, if it is known, and a prediction; `errors` by reason. */
function reportOf(
  listed: readonly string[],
  records: readonly (readonly [truth: string | undefined, predicted: string])[],
  errors: Readonly<Record<string, number>> = {},
): Report {
  const classes = new ClassList(listed);
  const tally = createTally(classes, 0);
  for (const [recordIndex, [truth, predicted]] of records.entries())
    countOutcome(tally, {
      key: 'a.csv',
      recordIndex,
      predicted: classes.add(predicted),
      truth: truth === undefined ? undefined : classes.add(truth),
      ...NOTHING,
    });
  for (const [reason, count] of Object.entries(errors))
    for (let at = 0; at < count; at++) countError(tally, reason);
  tally.inputs = records.length + Object.values(errors).reduce((sum, count) => sum + count, 0);
  return Report.parse(buildReport(FRAME, tally, metricsOf(tally, [1])));
}

test('classes stand in the order of the pipeline, labels outside its list behind them by name', () => {
  const { classes, confusion } = reportOf(
    ['owl', 'kite', 'auk'],
    [
      ['wren', 'owl'],
      ['bat', 'owl'],
      ['crow', 'owl'],
      ['kite', 'wren'],
      ['kite', 'kite'],
      ['kite', 'kite'],
      ['owl', 'owl'],
      [undefined, 'kite'],
    ],
  );
  expect(
    classes.map((each) => [each.name, each.listed, each.support, each.predicted, each.predictedUnlabeled]),
  ).toEqual([
    ['owl', true, 1, 4, 0],
    ['kite', true, 3, 2, 1],
    ['auk', true, 0, 0, 0],
    ['bat', false, 1, 0, 0],
    ['crow', false, 1, 0, 0],
    ['wren', false, 1, 1, 0],
  ]);
  expect(classes.map((each) => [each.correct, each.recall, each.precision])).toEqual([
    [1, 1, 1 / 4],
    [2, 2 / 3, 1],
    [0, null, null],
    [0, 0, null],
    [0, 0, null],
    [0, 0, 0],
  ]);
  // Places of truth and prediction in the list of classes, and how often.
  expect(confusion).toEqual([
    [0, 0, 1],
    [1, 1, 2],
    [1, 5, 1],
    [3, 0, 1],
    [4, 0, 1],
    [5, 0, 1],
  ]);
});

test('reasons are counted, the most frequent first, those of equal number by name', () => {
  const { errors, errorsByReason } = reportOf(['owl'], [], {
    empty: 1,
    superseded: 1,
    'model-error': 2,
    deleted: 1,
  });
  expect(errors).toBe(5);
  expect(Object.entries(errorsByReason)).toEqual([
    ['model-error', 2],
    ['deleted', 1],
    ['empty', 1],
    ['superseded', 1],
  ]);
});

test('answers without a confidence have neither a histogram of it nor a curve', () => {
  const { quality, confidenceHistogram, reliability } = reportOf(['owl', 'kite'], [['owl', 'kite']]);
  expect({ confidenceHistogram, reliability }).toEqual({ confidenceHistogram: null, reliability: [] });
  expect(quality).toMatchObject({
    accuracy: 0,
    labeled: 1,
    expectedCalibrationError: null,
    meanConfidenceWrong: null,
  });
});

test('a run that ended before a prediction was read has its inputs and no figure', () => {
  const report = Report.parse(buildEmptyReport({ ...FRAME, status: 'failed' }, 7));
  expect(report).toEqual({
    schema: 1,
    ...FRAME,
    status: 'failed',
    total: 7,
    records: 0,
    correct: null,
    accuracy: null,
    errors: 0,
    errorRate: 0,
    errorsByReason: {},
    quality: null,
    absent: [],
    classes: [],
    confusion: [],
    reliability: [],
    confidenceHistogram: null,
    thresholds: null,
    mistakes: [],
    exemplars: [],
  });
});

describe('how often each class was predicted', () => {
  test('counts records with and without a truth, and shares are of all predictions', () => {
    const report = reportOf(
      ['owl', 'kite', 'auk'],
      [
        ['owl', 'kite'],
        ['wren', 'kite'],
        ['kite', 'owl'],
        [undefined, 'kite'],
      ],
    );
    // A label that the pipeline does not list and no record was predicted as is no answer of the model.
    expect(predictedMix(report)).toEqual([
      { name: 'kite', listed: true, count: 3, share: 0.75 },
      { name: 'owl', listed: true, count: 1, share: 0.25 },
      { name: 'auk', listed: true, count: 0, share: 0 },
    ]);
  });

  test('names a predicted class that the pipeline does not list', () => {
    expect(predictedMix(reportOf(['owl'], [[undefined, 'wren']]))).toEqual([
      { name: 'wren', listed: false, count: 1, share: 1 },
      { name: 'owl', listed: true, count: 0, share: 0 },
    ]);
  });

  test('is left out where every record has a truth', () => {
    expect(predictedMix(reportOf(['owl'], [['owl', 'owl']]))).toEqual([]);
  });
});

describe('a comparison', () => {
  const tally = createPairTally('birds/friday/000001');
  Object.assign(tally.inputs, { paired: 5, changed: 2, added: 4 });
  const about = { replay: false, flips: [] };
  const stored = (baselineInputs: number | null) =>
    ReportComparison.parse(reportComparison(tally, comparisonOf(tally), { ...about, baselineInputs }));

  test.each([
    [10, 3],
    [7, 0],
    [6, 0],
    [null, null],
  ])('of 7 inputs that both runs have, where the baseline had %s, misses %s', (baselineInputs, missing) => {
    expect(stored(baselineInputs).inputs).toEqual({ paired: 5, changed: 2, added: 4, missing });
  });

  test('without a truth has neither a change of accuracy nor a test of it', () => {
    expect(stored(10)).toMatchObject({
      accuracy: null,
      pValue: null,
      exact: true,
      lost: 0,
      gained: 0,
      classes: [],
    });
  });

  test('has what was lost and gained by class, in the order of names', () => {
    const judged = createPairTally('birds/friday/000001');
    const pair = (truth: string, before: string, now: string) =>
      countPaired(
        judged,
        { key: 'a.png', recordIndex: 0, truth },
        { prediction: before, score: null },
        { prediction: now, score: null },
      );
    pair('owl', 'owl', 'kite');
    pair('owl', 'owl', 'owl');
    pair('kite', 'owl', 'kite');
    const found = reportComparison(judged, comparisonOf(judged), { ...about, baselineInputs: 3 });
    expect(found).toMatchObject({
      answered: 3,
      sameClass: 1,
      bothRight: 1,
      lost: 1,
      gained: 1,
      bothWrong: 0,
    });
    expect(found).toMatchObject({
      accuracy: { records: 3, before: 2 / 3, now: 2 / 3, change: 0 },
      pValue: 1,
    });
    expect(found.classes.map(({ name, lost, gained }) => [name, lost, gained])).toEqual([
      ['kite', 0, 1],
      ['owl', 1, 0],
    ]);
  });
});
