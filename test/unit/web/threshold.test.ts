import { expect, test } from 'vitest';
import { curvePlaces, thresholdFigures, thresholdTexts } from '../../../src/report/page/threshold-data.ts';

const FIGURES = thresholdFigures({
  positives: 4,
  negatives: 6,
  points: [
    [0.9, 3, 1],
    [0.1, 4, 6],
  ],
});

test('a threshold has the figures of its counts', () => {
  expect(FIGURES[0]).toEqual({
    threshold: 0.9,
    truePositives: 3,
    falsePositives: 1,
    falseNegatives: 1,
    trueNegatives: 5,
    precision: 0.75,
    recall: 0.75,
    falsePositiveRate: 1 / 6,
    f1: 0.75,
    accuracy: 0.8,
  });
});

test('its texts and dots say the same', () => {
  const [first] = FIGURES;
  expect(Object.fromEntries(thresholdTexts(first!))).toMatchObject({
    'threshold-precision': '75.0%',
    'threshold-fpr': '16.7%',
    'threshold-accuracy': '80.0%',
    'threshold-tn': '5',
  });
  expect(curvePlaces(first!)).toEqual({
    roc: { x: '50.0', y: '75.0' },
    precisionRecall: { x: '225.0', y: '75.0' },
  });
});
