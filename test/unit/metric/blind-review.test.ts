import { expect, test } from 'vitest';
import {
  type BlindReview,
  countReviewed,
  mergeBlindReview,
  noBlindReview,
  reportedReview,
} from '../../../src/metric/blind-review.ts';
import { random as seeded } from '../../support/random.ts';

const kind = (count: number, read: number, turned: number, others: object = {}) => ({
  count,
  read,
  turned,
  waiting: 0,
  chosen: 0,
  ...others,
});
const of = (mistakes: BlindReview['mistakes'], right: BlindReview['right']) =>
  reportedReview({ mistakes, right });

test('mistakes and right answers that are drawn give exact ends, which share the error', () => {
  // scipy.stats.beta.ppf(0.0125, 10, 91) and (0.9875, 11, 90) for 10 of 100, (0.9875, 1, 400) for none of 400.
  const { low, high, confidence } = of(kind(800, 100, 10), kind(9_200, 400, 0))!;
  expect(confidence).toBe(0.95);
  expect(low).toBeCloseTo(0.08 * 0.04383572295826902 + 0.92 * (1 - 0.010895278371854295), 9);
  expect(high).toBeCloseTo(0.08 * 0.1877745405731404 + 0.92, 9);
});

test('a kind that was read whole has no error, and a record that waits counts either way', () => {
  expect(of(kind(10, 10, 4), kind(90, 90, 1))).toMatchObject({ low: 0.93, high: 0.93 });
  expect(of(kind(10, 8, 4, { waiting: 2 }), kind(90, 90, 1))).toMatchObject({
    low: 0.93,
    high: expect.closeTo(0.95, 12),
  });
  expect(of(kind(0, 0, 0), kind(90, 90, 1))).toMatchObject({ low: 89 / 90 });
});

test('without mistakes, without right answers, or if some were chosen for their looks there is no interval', () => {
  expect(of(kind(10, 0, 0), kind(90, 9, 0))).toBeUndefined();
  expect(of(kind(10, 5, 0), kind(90, 0, 0))).toBeUndefined();
  expect(of(kind(10, 5, 3, { chosen: 1 }), kind(90, 9, 0))).toBeUndefined();
  expect(of(kind(10, 10, 3, { chosen: 7 }), kind(90, 9, 0))).toBeDefined();
  expect(reportedReview(noBlindReview())).toBeUndefined();
});

test('records are counted by the label at the prediction, and shards add up', () => {
  const [one, other] = [noBlindReview(), noBlindReview()];
  const record = (before: string, reviewed: string | undefined, about: object = {}) => ({
    before,
    predicted: 'cat',
    reviewed,
    isWaiting: false,
    isDrawn: true,
    ...about,
  });
  countReviewed(one, record('dog', 'cat'));
  countReviewed(one, record('dog', 'bird'));
  countReviewed(one, record('dog', undefined, { isWaiting: true, isDrawn: false }));
  countReviewed(other, record('cat', 'dog'));
  countReviewed(other, record('cat', 'cat', { isDrawn: false }));
  countReviewed(other, record('cat', undefined));
  mergeBlindReview(one, other);
  expect(one).toEqual({
    mistakes: { count: 3, read: 2, turned: 1, waiting: 1, chosen: 1 },
    right: { count: 3, read: 2, turned: 1, waiting: 0, chosen: 1 },
  });
});

test('the interval holds the accuracy by the readers in at least 95% of reviews', () => {
  const random = seeded(7);
  const [mistakes, right, toModel, wrongly] = [400, 4_600, 60, 90];
  const truth = (right - wrongly + toModel) / (mistakes + right);
  const drawn = (count: number, of: number, turned: number): number => {
    let hits = 0;
    for (let at = 0; at < of; at++) if (random() * (count - at) < turned - hits) hits++;
    return hits;
  };
  let held = 0;
  for (let trial = 0; trial < 500; trial++) {
    const found = of(
      kind(mistakes, 100, drawn(mistakes, 100, toModel)),
      kind(right, 100, drawn(right, 100, wrongly)),
    )!;
    if (found.low <= truth && truth <= found.high) held++;
  }
  expect(held).toBeGreaterThanOrEqual(475);
});
