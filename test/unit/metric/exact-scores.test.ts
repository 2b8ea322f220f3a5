import { expect, test } from 'vitest';
import { ExactScores } from '../../../src/metric/exact-scores.ts';

const RECORDS = [
  [0.2, 0.8, 1],
  [0.9, 0.1, 0],
  [0.2, 0.8, 0],
] as const;

function scoresOf(records: readonly (readonly [number, number, number])[]): ExactScores {
  const scores = new ExactScores(2);
  for (const [first, second, truth] of records) scores.add([first, second], truth);
  return scores;
}

test('equal scores are counted together, lowest first, also after they were stored', () => {
  const merged = new ExactScores(2);
  merged.merge(scoresOf(RECORDS.slice(0, 1)).pack());
  merged.merge(scoresOf(RECORDS.slice(1)).pack());
  for (const scores of [scoresOf(RECORDS), merged]) {
    expect(scores.countsOf(1, 3)).toEqual({
      scores: Float64Array.of(0.1, 0.8),
      all: Uint32Array.of(1, 2),
      own: Uint32Array.of(0, 1),
    });
    expect(scores.countsOf(0, 3)).toEqual({
      scores: Float64Array.of(0.2, 0.9),
      all: Uint32Array.of(2, 1),
      own: Uint32Array.of(1, 1),
    });
  }
});

test('a score of minus zero is one of zero', () => {
  const scores = new ExactScores(2);
  for (const zero of [0.5, 0, -0]) scores.add([zero, 1 - zero], 1);
  expect(scores.countsOf(0, 3)).toEqual({
    scores: Float64Array.of(-0, 0.5),
    all: Uint32Array.of(2, 1),
    own: Uint32Array.of(0, 0),
  });
});

test('where any record is missing nothing is said', () => {
  const scores = scoresOf(RECORDS);
  expect(scores.countsOf(1, 4)).toBeUndefined();
  scores.merge(null);
  expect(scores.countsOf(1, 3)).toBeUndefined();
  expect(scores.pack()).toBeNull();
  expect(new ExactScores(2, 1_000_001).pack()).toBeNull();
});

test('of more records than fit in memory none is kept', () => {
  const scores = new ExactScores(2);
  for (let record = 0; record <= 1_000_000; record++) scores.add([0.5, 0.5], record % 2);
  expect(scores.pack()).toBeNull();
});
